// Package static embeds the browser's files: styles, scripts, fonts, icons.
//
// Guarantees: URL gives an address with a hash over all files in it, so an
// answer under it never changes and is cached for a year; an address with
// another hash still gets the file, but uncached. Handler serves nothing but
// the embedded files. Everything is safe for concurrent use.
package static
