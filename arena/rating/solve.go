package rating

import (
	"errors"
	"math"
)

// q turns points into the logit of the expected score.
const q = math.Ln10 / 400

// problem is a posterior to maximise. Its coordinates are the free ratings, the
// advantage of White (index free), and one that stays zero (free+1), where the anchors
// are, so that no sum needs to ask who is one.
type problem struct {
	cells []cell
	free  int
	gamma int // the coordinate of White's advantage; free+1 to leave it at zero
	prior Prior
}

// cell is all games of two buckets with the same colours and score. offset is the
// difference of the pins, of those that have one.
type cell struct {
	white, black          int
	offset, score, weight float64
}

// gap is White's lead in a cell, in logits.
func (p *problem) gap(c *cell, x []float64) float64 {
	return float64(q * (x[c.white] - x[c.black] + c.offset + x[p.gamma]))
}

// value is the logarithm of the posterior, up to a constant.
func (p *problem) value(x []float64) float64 {
	sum := 0.0
	for i := range p.cells {
		c := &p.cells[i]
		d := p.gap(c, x)
		win := min(d, 0) - log(1+exp(-math.Abs(d))) // ln E, without overflow
		sum += float64(c.weight * (win - float64((1-c.score)*d)))
	}
	for _, r := range x[:p.free] {
		sum -= float64(sq((r-p.prior.Mean)/p.prior.SD) / 2)
	}
	return sum - float64(sq(x[p.free]/whiteSD)/2)
}

// slope writes the gradient at x into grad, the curvature of each cell into bend, and
// the diagonal of the negated Hessian into diag.
func (p *problem) slope(x, grad, bend, diag []float64) {
	precision := 1 / sq(p.prior.SD)
	for i, r := range x[:p.free] {
		grad[i], diag[i] = float64((p.prior.Mean-r)*precision), precision
	}
	grad[p.free], diag[p.free] = -x[p.free]/sq(whiteSD), 1./(whiteSD*whiteSD)
	for i := range p.cells {
		c := &p.cells[i]
		e := logistic(p.gap(c, x))
		pull := float64(q * c.weight * (c.score - e))
		bend[i] = float64(q * q * c.weight * e * (1 - e))
		grad[c.white] += pull
		grad[c.black] -= pull
		grad[p.gamma] += pull
		diag[c.white] += bend[i]
		diag[c.black] += bend[i]
		diag[p.gamma] += bend[i]
	}
	grad[p.free+1], diag[p.free+1] = 0, 1
}

// times writes the negated Hessian times v into out. v is zero where the anchors are.
func (p *problem) times(v, bend, out []float64) {
	precision := 1 / sq(p.prior.SD)
	for i := range p.free {
		out[i] = float64(precision * v[i])
	}
	out[p.free] = v[p.free] / sq(whiteSD)
	for i := range p.cells {
		c := &p.cells[i]
		flow := float64(bend[i] * (v[c.white] - v[c.black] + v[p.gamma]))
		out[c.white] += flow
		out[c.black] -= flow
		out[p.gamma] += flow
	}
	out[p.free+1] = 0
}

// errSolve means that the input holds something that is not a number.
var errSolve = errors.New("fit: the ratings do not converge")

// solve moves x to the maximum by Newton's method. The posterior is strictly concave,
// so there is one maximum, and a step that is halved until it does not go down leads
// there. The last step is below 1e-6 points, and the next would be its square.
func (p *problem) solve(x []float64) error {
	const longest, shortest, limit = 400, 1e-6, 200 // points, points, steps
	size := len(x)
	grad, bend, diag, try := make([]float64, size), make([]float64, len(p.cells)), make([]float64, size), make([]float64, size)
	value := p.value(x)
	for range limit {
		p.slope(x, grad, bend, diag)
		step := p.newton(grad, bend, diag)
		most := 0.0
		for _, s := range step {
			most = max(most, math.Abs(s))
		}
		part := min(1, longest/most)
		for range limit {
			for i := range x {
				try[i] = x[i] + float64(part*step[i])
			}
			next := p.value(try)
			if next >= value-float64(1e-12*math.Abs(value)) {
				value = next
				break
			}
			part /= 2
		}
		copy(x, try)
		if most < shortest {
			return nil
		}
	}
	return errSolve
}

// newton solves H·step = grad by conjugate gradients, scaled by the diagonal. The
// Hessian is sparse, one term for each pair that has met, and is never written out.
func (p *problem) newton(grad, bend, diag []float64) []float64 {
	size := len(grad)
	step, rest, dir, image := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	copy(rest, grad)
	for i := range dir {
		dir[i] = rest[i] / diag[i]
	}
	left := dot(rest, dir)
	goal := left * 1e-20
	for range 4*size + 50 {
		if left <= goal {
			break
		}
		p.times(dir, bend, image)
		t := left / dot(dir, image)
		next := 0.0
		for i := range step {
			step[i] += float64(t * dir[i])
			rest[i] -= float64(t * image[i])
			next += sq(rest[i]) / diag[i]
		}
		t = next / left
		for i := range dir {
			dir[i] = rest[i]/diag[i] + float64(t*dir[i])
		}
		left = next
	}
	return step
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
