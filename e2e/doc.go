// Package e2e tests the product as people meet it: the real binary, started as
// anybody starts it, and a real browser that looks at its pages.
//
// Guarantees: the tests know nothing but what a person sees and what a shell can
// do. A request becomes a plan, waits, runs when it is answered and leaves what
// was approved in the workspace, once, also when the server is killed in between.
// Reloads and second windows show the same. Everything works by keyboard, and
// without JavaScript. axe finds nothing on the main pages, light and dark, and no
// page scrolls sideways at 360 pixels. Nothing leaves the machine: the built-in
// model answers. No test sleeps; each waits for what it wants to see.
//
// Without Chromium the tests are skipped, and fail where CI=true. The variable
// ASSENT_CHROMIUM names a browser that is not on the path.
package e2e
