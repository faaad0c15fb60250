package rating

import "math"

// The covariance of the fitted ratings is the inverse of the negated Hessian. Boards
// need almost all of it, since any two neighbours may have to be told apart, and pairing
// by strength leaves no order in which the factors stay sparse. So it is computed dense,
// in one n×n array: the Cholesky factor L is built below the diagonal, the transpose of
// its inverse above, then the covariance replaces L. Four rows at a time share every
// load of a fifth, which is what makes it fast; each element is still summed in one
// fixed order.

// tile is how many rows are worked on together. Matrices are padded to a multiple.
const tile = 4

// matrix is a square matrix by rows.
type matrix struct {
	size int // a multiple of tile
	cell []float64
}

func newMatrix(n int) *matrix {
	size := (n + tile - 1) / tile * tile
	m := &matrix{size, make([]float64, size*size)}
	for i := n; i < size; i++ {
		m.row(i)[i] = 1
	}
	return m
}

func (m *matrix) row(i int) []float64 { return m.cell[i*m.size : (i+1)*m.size] }

// at reads a symmetric matrix of which the lower half is kept.
func (m *matrix) at(i, j int) float64 { return m.row(max(i, j))[min(i, j)] }

// covariance is the joint covariance of all coordinates but the anchors' at x.
func (p *problem) covariance(x []float64) *matrix {
	n := p.free + 1
	grad, bend, diag := make([]float64, n+1), make([]float64, len(p.cells)), make([]float64, n+1)
	p.slope(x, grad, bend, diag)
	m := newMatrix(n)
	for i := range n {
		m.row(i)[i] = diag[i]
	}
	couple := func(i, j int, k float64) {
		if i < n && j < n {
			m.row(max(i, j))[min(i, j)] += k
		}
	}
	for i := range p.cells {
		c, k := &p.cells[i], bend[i]
		couple(c.white, c.black, -k)
		couple(c.white, p.gamma, k)
		couple(c.black, p.gamma, -k)
	}
	m.invert()
	return m
}

// invert replaces the lower half of a positive definite matrix by that of its inverse.
// The upper half is scratch.
func (m *matrix) invert() {
	inv := m.factor()
	m.invertFactor(inv)
	m.square(inv)
}

// factor replaces the lower half by its Cholesky factor L and returns 1/L's diagonal.
func (m *matrix) factor() (inv []float64) {
	inv = make([]float64, m.size)
	for top := 0; top < m.size; top += tile {
		rows := m.tile(top)
		for j := range top {
			s := dot4(rows, m.row(j)[:j])
			for r := range rows {
				rows[r][j] = float64((rows[r][j] - s[r]) * inv[j])
			}
		}
		for r, row := range rows {
			i := top + r
			for j := top; j < i; j++ {
				row[j] = float64((row[j] - dot(row[:j], m.row(j))) * inv[j])
			}
			inv[i] = 1 / math.Sqrt(row[i]-dot(row[:i], row))
		}
	}
	return inv
}

// invertFactor writes the strict upper half of the transposed inverse of L.
func (m *matrix) invertFactor(inv []float64) {
	for top := 0; top < m.size; top += tile {
		rows, end := m.tile(top), top+tile
		tails := m.tails(top, end)
		for i := top + 1; i < m.size; i++ {
			line := m.row(i)
			var s [tile]float64
			for r := range min(tile, i-top) {
				j := top + r
				s[r] = float64(line[j] * inv[j])
				for k := j + 1; k < min(i, end); k++ {
					s[r] += float64(line[k] * rows[r][k])
				}
			}
			if i > end {
				tail := dot4(tails, line[end:i])
				for r := range s {
					s[r] += tail[r]
				}
			}
			for r := range min(tile, i-top) {
				rows[r][i] = -float64(s[r] * inv[i])
			}
		}
	}
}

// square writes the inverse, which is the upper half times its transpose, into the
// lower half.
func (m *matrix) square(inv []float64) {
	for top := 0; top < m.size; top += tile {
		rows, end := m.tile(top), top+tile
		tails := m.tails(top, end)
		// upper reads the factor at row i, column k ≥ i.
		upper := func(i, k int) float64 {
			if i == k {
				return inv[i]
			}
			return m.row(i)[k]
		}
		for j := range end {
			s := dot4(tails, m.row(j)[end:])
			for r := range rows {
				i := top + r
				if j > i {
					continue
				}
				for k := i; k < end; k++ {
					s[r] += float64(upper(i, k) * upper(j, k))
				}
				rows[r][j] = s[r]
			}
		}
	}
}

// tile is the four rows from top.
func (m *matrix) tile(top int) [tile][]float64 { return m.tails(top, 0) }

// tails is the four rows from top, from column on.
func (m *matrix) tails(top, column int) (rows [tile][]float64) {
	for r := range rows {
		rows[r] = m.row(top + r)[column:]
	}
	return rows
}

// dot4 is the product of each row with b, over the length of b.
func dot4(rows [tile][]float64, b []float64) [tile]float64 {
	r0, r1, r2, r3 := rows[0][:len(b)], rows[1][:len(b)], rows[2][:len(b)], rows[3][:len(b)]
	var s0, s1, s2, s3 float64
	for k, x := range b {
		s0 += float64(r0[k] * x)
		s1 += float64(r1[k] * x)
		s2 += float64(r2[k] * x)
		s3 += float64(r3[k] * x)
	}
	return [tile]float64{s0, s1, s2, s3}
}
