//go:build !race

package rules_test

const slowdown = 1
