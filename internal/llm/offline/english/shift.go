package english

// FindShift finds a move in time that is relative to a date known elsewhere:
// "push it back two weeks", "a week later", "three days earlier", "bring it
// forward by a month", "one week more". Earlier is negative.
func FindShift(t Text) (s Shift, from, to int, ok bool) {
	for i := range t.Tokens {
		shift, next, found := readShift(t, i)
		if !found || t.Is(i-1, "in", "within", "over") || t.Is(i-1, "next") {
			continue
		}
		from, to = i, next
		if t.Is(from-1, "by", "another", "for") {
			from--
		}
		sign := direction(t, i, next)
		if sign == 0 {
			continue
		}
		if t.Is(to, "later", "earlier", "sooner", "longer", "more", "back", "forward", "out", "ahead", "less") {
			to++
		}
		return shift.times(sign), from, to, true
	}
	return Shift{}, 0, 0, false
}

// direction says whether the words around a span move it later (1) or earlier
// (-1); 0 if they do neither.
func direction(t Text, from, to int) int {
	switch {
	case t.Is(to, "later", "longer", "more", "back", "out"):
		return 1
	case t.Is(to, "earlier", "sooner", "forward", "ahead", "less"):
		return -1
	}
	for i := from - 1; i >= 0 && !t.Ends(i); i-- {
		switch {
		case t.Is(i, "back", "postpone", "delay", "extend", "slip", "slips", "push", "later", "another", "postponed", "delayed", "pushed", "defer"):
			return 1
		case t.Is(i, "forward", "earlier", "sooner", "advance", "shorten", "ahead"):
			return -1
		}
	}
	if t.Is(from-1, "by") { // "shift it by two weeks"
		for i := from - 2; i >= 0 && !t.Ends(i); i-- {
			if t.Is(i, "shift", "move", "slide", "shifting", "moving", "reschedule") {
				return 1
			}
		}
	}
	return 0
}
