package rules

// slipKey finds words of a length.
type slipKey int

// short is the length up to which a word is too close to others for every slip
// to be forgiven: only letters swapped or left out are, or a key beside the
// right one within a longer phrase.
const short = 4

// real are words that look like slips of words of assent and are none.
var real = setOf(`lunch ruin ruins turn sue sued stat star stare started bride gold golf goods food wood hood mood toad does doe dog eyes
	yeti yen stork story shop whip sip skip chip slip lean plane plant plans clan flan rune runt ruined prefect place peace laugh later great grate treat
	rum rug rub fun gun sun pun nun bun son sin vain vail mail main masse passe messe lois loss lot los prune prone approach provide like bike hike
	to of in at by as or an am be he we us my so no on up if it is me hi off too see bee add ad all any are can did end few for get had has her him his how its let
	may new not now old one our out own put run saw say set she ten the two use was way who why you al el en es il la le li ne se si su te un va per por pas que qui est et des les der die das den dem
	ein ist war wir sie dus wel nog van een het bij tot kan mag dla ale czy jak nie pod tam tej ten ich mam pan
	claire clair clara dame dama dali casa cosa beau ca sa klaas prince`)

// heard is a word that is kept for the correction of slips.
type heard struct {
	word string
	wary bool
}

// remember keeps a word for the correction of slips.
func (x *lexicon) remember(w string, c class) {
	h := heard{w, c&^assents != 0}
	if x.heard[h] {
		return
	}
	x.heard[h] = true
	w = foldText(w)
	list := x.slips
	if h.wary {
		list = x.wary
	}
	list[slipKey(len(w))] = append(list[slipKey(len(w))], w)
}

// correct undoes single slips of the finger towards words of assent, its object
// and courtesy, where no other reading is near: a misspelt refusal is never
// turned into anything else, it stays unknown. ok is false if there is nothing
// to correct. loose marks corrections that hold only within a longer phrase.
func (x *lexicon) correct(d *dictionary, ts []token, ids []int32, known titles) (out []int32, loose map[int]bool) {
	if x.joined || len(ts) > 12 {
		return nil, nil
	}
	for i, t := range ts {
		if t.kind != word || ids[i] != 0 || known.has(t.text) || !latin(t.text) {
			continue
		}
		w, weak := x.meant(d, t.text)
		if w == "" {
			return nil, nil // a word that stays unknown decides
		}
		if out == nil {
			out, loose = append(out, ids...), map[int]bool{}
		}
		out[i] = d.words[w]
		if weak {
			loose[i] = true
		}
	}
	return out, loose
}

// meant finds the one word that was meant; weak tells that the guess needs a
// longer phrase around it.
func (x *lexicon) meant(d *dictionary, w string) (meant string, weak bool) {
	if plain := unstretched(d, w); plain != "" {
		return plain, false
	}
	if len(w) < 2 || real[w] {
		return "", false
	}
	near := false // a word of doubt is
	for n := len(w) - 1; n <= len(w)+1; n++ {
		for _, other := range x.wary[slipKey(n)] {
			if s := slipOf(w, other); s == swapped || s == missing || s != noSlip && len(w) > short {
				return "", false
			}
			near = near || slipOf(w, other) != noSlip
		}
	}
	for n := len(w) + 1; n >= len(w)-1; n-- {
		for _, p := range x.slips[slipKey(n)] {
			s := slipOf(w, p)
			if s == noSlip || len(p) < 2 {
				continue
			}
			if len(w) <= short && (s == surplus || s == changed && !neighbours(w, p)) || len(w) > short && p[0] != w[0] {
				continue
			}
			if meant == "" || weak {
				meant, weak = p, len(w) <= short && s == changed
			}
		}
	}
	if weak && near {
		return "", false
	}
	return meant, weak
}

// unstretched finds the word that was drawn out: "yesss", "okkk".
func unstretched(d *dictionary, w string) string {
	for keep := 2; keep >= 1; keep-- {
		b := make([]byte, 0, len(w))
		for i := 0; i < len(w); i++ {
			if n := len(b); n >= keep && w[i] == b[n-1] && (keep < 2 || w[i] == b[n-2]) {
				continue
			}
			b = append(b, w[i])
		}
		if len(b) < len(w) && len(b) > 1 && d.words[string(b)] != 0 {
			return string(b)
		}
	}
	return ""
}

func latin(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

// slip is the way in which two words differ.
type slip int

const (
	noSlip  slip = iota
	swapped      // two neighbours
	missing      // a letter was left out
	surplus      // a letter too many
	changed      // a letter is another
)

// slipOf tells by what single slip a word came of another.
func slipOf(w, meant string) slip {
	i := 0
	for i < len(w) && i < len(meant) && w[i] == meant[i] {
		i++
	}
	switch len(w) - len(meant) {
	case 0:
		if i == len(w) {
			return noSlip
		}
		if i+1 < len(w) && w[i] == meant[i+1] && w[i+1] == meant[i] && w[i+2:] == meant[i+2:] {
			return swapped
		}
		if w[i+1:] == meant[i+1:] {
			return changed
		}
	case -1:
		if w[i:] == meant[i+1:] {
			return missing
		}
	case 1:
		if w[i+1:] == meant[i:] {
			return surplus
		}
	}
	return noSlip
}

// keys are the rows of a keyboard.
var keys = [3]string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// neighbours reports whether the letters in which two words differ lie side by
// side on a keyboard.
func neighbours(a, b string) bool {
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		for _, row := range keys {
			for k := 0; k+1 < len(row); k++ {
				if row[k] == a[i] && row[k+1] == b[i] || row[k] == b[i] && row[k+1] == a[i] {
					return true
				}
			}
		}
		return false
	}
	return false
}
