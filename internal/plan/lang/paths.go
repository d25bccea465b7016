package lang

import (
	"strconv"

	"assent/internal/assent"
)

// Place is where a step stands in its plan.
type Place struct {
	Step    assent.Step
	Path    string // ids from the top: "know/r"
	Number  string // as people count: "3.1"
	Parent  string // id of the parallel step around it, else empty
	Top     int    // position of the top-level step that it is or is part of
	Pointer string // "/steps/2/steps/0"
}

// Paths gives every step in the order in which people count them, a parallel
// step before its children. It goes one level deep, as plans do; what stands
// deeper is reported by Structure.
func Paths(doc assent.PlanDocument) []Place {
	var out []Place
	for i, st := range doc.Steps {
		top := Place{Step: st, Path: st.ID, Number: strconv.Itoa(i + 1), Top: i, Pointer: "/steps/" + strconv.Itoa(i)}
		out = append(out, top)
		for j, child := range st.Steps {
			out = append(out, Place{Step: child, Path: st.ID + "/" + child.ID, Number: top.Number + "." + strconv.Itoa(j+1),
				Parent: st.ID, Top: i, Pointer: top.Pointer + "/steps/" + strconv.Itoa(j)})
		}
	}
	return out
}

// OutputKey is the name of a child's output in that of its parallel step.
func OutputKey(child assent.Step) string {
	if child.ResultKey != "" {
		return child.ResultKey
	}
	return child.ID
}
