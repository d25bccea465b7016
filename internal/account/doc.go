// Package account knows people: who they are, how they sign in, which tokens
// stand for them and what those may do.
//
// Guarantees: passwords are kept as argon2id hashes, secrets of tokens and
// browser sessions as SHA-256 hashes; none is ever logged or shown again. A
// sign-in takes the same work whether or not the account exists. Limits on
// failed sign-ins survive a restart. An active admin always remains.
// Authenticate is cheap: it remembers secrets for a few seconds at most, and a
// change made in this process counts at once. A Service is safe for concurrent
// use.
package account
