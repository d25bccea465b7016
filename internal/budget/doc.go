// Package budget holds model calls to limits of calls and cost: by person and
// day, as admins set them, and by run, as the words of its approval set them
// ("but not over two dollars"); design 05 §1 and 03 §5.
//
// Guarantees: a call is refused before it is made if its worst case would pass a
// limit of cost, so a limit is never passed; calls side by side cannot pass it
// together, since each sets its worst case aside in the transaction that checks.
// A call whose cost never became known (a crash, an answer cut off) counts with
// its worst case for good. A call that no limit counts does not wait for the
// database. A Guard is safe for concurrent use.
package budget
