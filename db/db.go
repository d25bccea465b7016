// Package db holds the schema and the migrations that lead to it.
//
// Guarantees: Schema is what an empty file has after every migration in
// Migrations; a test in internal/store holds it. Migrations are never edited
// once landed, so a data file of any landed commit opens with every later one.
package db

import "embed"

// Schema is the whole schema as one script.
//
//go:embed schema.sql
var Schema string

// Migrations are goose migrations, numbered, under "migrations".
//
//go:embed migrations/*.sql
var Migrations embed.FS
