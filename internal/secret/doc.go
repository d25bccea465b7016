// Package secret keeps values that only handlers may see: sealed with the key
// file of the data directory, named by references of the form secret:NAME.
//
// Guarantees: a value is in the clear only in memory, in what Open and Resolve
// return; what is stored is sealed with AES-256-GCM, bound to its name, so that
// neither the database nor a backup of it tells anything, and a sealed value
// moved to another name does not open. No error holds a value. The key file is
// made when a first value is sealed, readable by its owner only, and never
// replaced. A key file that is missing, damaged or another one is an error of
// code unavailable that names what to do; everything that needs no secret goes
// on. A Vault is safe for concurrent use.
package secret
