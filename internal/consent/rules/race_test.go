//go:build race

package rules_test

// slowdown is how much longer the race detector makes a reading take.
const slowdown = 12
