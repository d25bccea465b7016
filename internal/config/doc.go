// Package config reads the settings of design 06 from flags, the environment
// and a .env file, in that order of precedence.
//
// Guarantees: every setting stands in one table, from which help, flags and the
// README's table come. A bad value is refused with the setting's name and what
// is allowed; all bad values are named at once; an unknown ASSENT_ name in
// .env is refused with the nearest known one (in the environment it is told). No value is ever part of an error where
// it could be a secret. The package reads what it is given and keeps no state.
package config
