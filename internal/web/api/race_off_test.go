//go:build !race

package api_test

// slowdown allows for a machine that runs other tests beside.
const slowdown = 2
