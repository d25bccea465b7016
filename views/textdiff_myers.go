package views

// diffParts finds the shortest way from a to b, E. W. Myers, "An O(ND) difference
// algorithm and its variations", 1986. Beyond diffEffort it replaces all.
func diffParts(a, b []string) []DiffSpan {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := spansOf(DiffSame, a[:head])
	out = append(out, diffMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	return append(out, spansOf(DiffSame, a[len(a)-tail:])...)
}

func spansOf(op DiffOp, parts []string) []DiffSpan {
	out := make([]DiffSpan, len(parts))
	for i, p := range parts {
		out[i] = DiffSpan{op, p}
	}
	return out
}

func diffMiddle(a, b []string) []DiffSpan {
	trace, found := diffSearch(a, b)
	if !found {
		return append(spansOf(DiffRemoved, a), spansOf(DiffAdded, b)...)
	}
	return diffWalk(a, b, trace)
}

// diffSearch advances along all diagonals at once; trace keeps how far each had
// come before every step, which is what diffWalk needs to go back.
func diffSearch(a, b []string) (trace [][]int, found bool) {
	limit := min(len(a)+len(b), diffEffort)
	reach := make([]int, 2*limit+2)
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), reach[limit-d:limit+d+2]...))
		for k := -d; k <= d; k += 2 {
			x := 0
			if k == -d || (k != d && reach[limit+k-1] < reach[limit+k+1]) {
				x = reach[limit+k+1]
			} else {
				x = reach[limit+k-1] + 1
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[limit+k] = x
			if x >= len(a) && x-k >= len(b) {
				return trace, true
			}
		}
	}
	return nil, false
}

// diffWalk goes back from the end and gives the steps in order.
func diffWalk(a, b []string, trace [][]int) []DiffSpan {
	var back []DiffSpan
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0 && (x > 0 || y > 0); d-- {
		at := func(k int) int { return trace[d][d+k] }
		k := x - y
		down := k == -d || (k != d && at(k-1) < at(k+1))
		fromK := k - 1
		if down {
			fromK = k + 1
		}
		fromX := 0
		if d > 0 {
			fromX = at(fromK)
		}
		for x > 0 && y > 0 && x > fromX && y > fromX-fromK {
			x, y = x-1, y-1
			back = append(back, DiffSpan{DiffSame, a[x]})
		}
		if d == 0 {
			break
		}
		if down {
			y--
			back = append(back, DiffSpan{DiffAdded, b[y]})
		} else {
			x--
			back = append(back, DiffSpan{DiffRemoved, a[x]})
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
