package rating

import (
	"math"
	"slices"
)

// z975 is the quantile of the standard normal distribution: P(Z < z975) = 0.975. It is the
// 1.96 of every 95 % interval.
const z975 = 1.959963984540054

// rank fills in what compares free rows with one another: the interval of ranks and the
// probability of being stronger than the next. slot is the coordinate of each row in
// cov. Two ratings are told apart by the variance of their difference, which counts what
// they owe to the same opponents only once.
func rank(rows []Row, slot []int, cov *matrix) {
	var order []int
	for i := range rows {
		if rows[i].Status != StatusAnchor {
			order = append(order, i)
			rows[i].RankLo, rows[i].RankHi = 1, 0
		}
	}
	slices.SortFunc(order, func(i, j int) int { return byStrength(rows[i], rows[j]) })
	for place, i := range order {
		a := &rows[i]
		a.RankHi += len(order)
		for ahead, j := range order[place+1:] {
			b := &rows[j]
			z := lead(a.Rating-b.Rating, slot[i], slot[j], cov)
			if ahead == 0 {
				a.OverNext = normal(z)
			}
			if z >= z975 {
				b.RankLo++
				a.RankHi--
			}
		}
	}
}

// lead is a difference of two ratings in its standard errors.
func lead(gap float64, i, j int, cov *matrix) float64 {
	return gap / math.Sqrt(cov.at(i, i)+cov.at(j, j)-float64(2*cov.at(i, j)))
}
