package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	maxLine    = 64 << 10 // of one line of output; the rest of it is dropped
	linesAhead = 32       // read before anybody asks for them; then the engine has to wait
)

var (
	errEnded  = errors.New("engine: the process closed its output")
	errSilent = errors.New("engine: no answer in time")
	errDeaf   = errors.New("engine: the process does not read its input")
)

// process is one running engine. Three goroutines serve it: one starts it and waits for
// its end, one writes, one reads, so that neither a full pipe nor an empty one can hold
// up a caller. Only the holder of the UCI's seat talks to it; kill is for anyone.
type process struct {
	cmd    *exec.Cmd
	kill   context.CancelFunc
	in     chan string   // lines to write; closed after quit
	lines  chan string   // lines read; closed at the end of the output
	left   chan struct{} // closed when nobody will read lines any more
	exited chan struct{} // closed once the process is reaped and cmd.ProcessState is set
	leave  sync.Once

	name    string
	options map[string]bool // the names it announced
	skill   int             // the level it now plays at
}

// startProcess starts a program that ends, at the latest, with life. Its goroutines are
// counted in wg.
func startProcess(life context.Context, wg *sync.WaitGroup, path string, args, env []string) (*process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	life, kill := context.WithCancel(life)
	p := &process{
		cmd:     exec.CommandContext(life, path, args...),
		kill:    kill,
		in:      make(chan string, 16),
		lines:   make(chan string, linesAhead),
		left:    make(chan struct{}),
		exited:  make(chan struct{}),
		options: map[string]bool{},
		skill:   fullStrength,
	}
	// Real files, not os/exec's own pipes: Wait then waits for the process alone and
	// closes nothing that is still being read. A nil Stderr is the null device.
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Env = childIn, childOut, env

	started := make(chan error)
	wg.Go(func() {
		untie := tie(p.cmd)
		defer untie()
		err := p.cmd.Start()
		childIn.Close()
		childOut.Close()
		started <- err
		if err != nil {
			return
		}
		p.cmd.Wait() // how it ended is in ProcessState
		kill()
		close(p.exited)
		// Whatever it wrote last is in the pipe and read at once. The deadline is for
		// a grandchild that holds the pipe open and would keep the reader for ever.
		out.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		in.Close()
	})
	if err := <-started; err != nil {
		kill()
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	wg.Go(func() { p.write(in) })
	wg.Go(func() { p.read(out) })
	return p, nil
}

func (p *process) write(in io.WriteCloser) {
	defer in.Close() // the end of its input tells an engine to quit, too
	for {
		select {
		case line, ok := <-p.in:
			if !ok {
				return
			}
			if _, err := io.WriteString(in, line+"\n"); err != nil {
				return // it is dead or deaf; the asker's timeout says so
			}
		case <-p.exited:
			return
		}
	}
}

func (p *process) read(out io.ReadCloser) {
	defer out.Close()
	defer close(p.lines)
	r := bufio.NewReaderSize(out, maxLine)
	for {
		line, err := readLine(r)
		if err != nil {
			return
		}
		select {
		case p.lines <- line:
		case <-p.left:
			// Read on, so that an engine which was told to quit is not held up by
			// a full pipe.
		}
	}
}

// readLine returns the next line without its end, cut at the reader's buffer size.
func readLine(r *bufio.Reader) (string, error) {
	part, err := r.ReadSlice('\n')
	line := string(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return strings.TrimRight(line, "\r\n"), err
}

// send hands a line to the writer. It never blocks: an engine that has left so many
// lines unread is deaf.
func (p *process) send(line string) error {
	select {
	case p.in <- line:
		return nil
	default:
		return errDeaf
	}
}

// await reads until a line whose first word is word, and returns that line; each gets
// the lines before it. The error is ctx's, errSilent after limit, or errEnded.
func (p *process) await(ctx context.Context, word string, limit time.Duration, each func(string)) (string, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-timer.C:
			return "", fmt.Errorf("%w: no %s within %s", errSilent, word, limit)
		case line, ok := <-p.lines:
			if !ok {
				return "", errEnded
			}
			if fields := strings.Fields(line); len(fields) > 0 && fields[0] == word {
				return line, nil
			}
			if each != nil {
				each(line)
			}
		}
	}
}

// greet does the handshake: the engine's name and options, then our settings.
func (p *process) greet(ctx context.Context, hashMB int, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	err := p.send("uci")
	if err != nil {
		return err
	}
	_, err = p.await(ctx, "uciok", limit, func(line string) {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			p.name = shownName(name)
		}
		if option, ok := strings.CutPrefix(line, "option name "); ok {
			name, _, _ := strings.Cut(option, " type ")
			p.options[name] = true
		}
	})
	if err != nil {
		return err
	}
	// More than one thread would make a search of fixed nodes differ from run to run.
	err = errors.Join(p.set("Threads", 1), p.set("Hash", hashMB), p.send("isready"))
	if err != nil {
		return err
	}
	_, err = p.await(ctx, "readyok", time.Until(deadline), nil)
	return err
}

// set sets an option, unless the engine does not have it.
func (p *process) set(option string, value int) error {
	if !p.options[option] {
		return nil
	}
	return p.send(fmt.Sprintf("setoption name %s value %d", option, value))
}

// end gets rid of the process: politely at first when quit is set, and within grace. It
// reports whether the process is gone.
func (p *process) end(quit bool, grace <-chan time.Time) bool {
	p.leave.Do(func() {
		close(p.left)
		if quit {
			// If the queue is full, the end of the input has to do. A caller who
			// did not ask politely must not close it under a writer at work.
			_ = p.send("quit")
			close(p.in)
		}
	})
	if !quit {
		p.kill()
	}
	select {
	case <-p.exited:
		return true
	case <-grace:
		p.kill()
	}
	select {
	case <-p.exited:
		return true
	case <-time.After(time.Second): // a kill is only ever late when the kernel is stuck
		return false
	}
}
