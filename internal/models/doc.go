// Package models holds what admins set about language models: providers with
// their keys, profiles as ordered lists, prices. It is the body of
// /api/v1/admin/models and of the page; design 05 and 06.
//
// Guarantees: a key goes in and never comes out; it is stored sealed, or as a
// reference to a secret. A change is checked whole before anything is stored,
// stored and audited in one transaction, and in force for every call that begins
// after Save returns; calls under way keep what they began with. ASSENT_MODELS
// wins: then nothing stored counts and every change is refused. A key that
// cannot be opened makes its provider unusable, and nothing else. A Service is
// safe for concurrent use.
package models
