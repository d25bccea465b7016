//go:build race

package api_test

// slowdown is what the race detector, and a machine that is busy with it, costs.
const slowdown = 20
