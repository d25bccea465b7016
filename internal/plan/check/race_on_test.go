//go:build race

package check_test

// raceEnabled: the race detector slows everything down.
const raceEnabled = true
