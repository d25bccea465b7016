// Package usage turns the records of model calls into the figures that admins
// read: the usage page, its CSV file and the API all come from Report.
//
// Guarantees: pure functions over the lines given; nothing blocks, nothing is
// kept, safe for concurrent use. Rows of a report are ordered by their group
// keys, so the same calls give the same report. A sum of cost counts priced
// calls only and says beside it how many were unpriced; it is nil, not zero,
// when no call in it has a known price.
package usage
