// Package check checks a plan before anything runs, as design 03 §3 asks.
//
// Guarantees: Check runs nothing, reads no clock and gives the same report for
// the same input. It reports every violation at once, up to MaxFindings errors
// and as many warnings, in the order of the plan. A Checker compiles each schema
// once, is bounded, and is safe for concurrent use. Work is bounded whatever the
// plan and the schemas are.
//
// Soundness: a plan with neither errors nor the warnings may_be_absent and
// unchecked never fails at run time because a field is missing or a value has
// the wrong type, provided that every tool's output fits its output schema. What
// a reference's value is (enum, pattern, format, bounds) is checked at run time.
//
// # Types
//
// A type is a JSON Schema: the set of values that satisfy all of a list of
// schema nodes. It is brought into forms, of which a value has at least one:
// $ref and allOf add their nodes to a form, each branch of anyOf and oneOf makes
// one. A form has JSON types (null, boolean, integer, number, string, array,
// object), from type, enum and const; number includes integer. A form in which
// no node says a type holds anything, and nothing is known of it.
//
// A path goes into a type part by part, form by form:
//
//   - Of an object, a declared property is there always if it is required, else
//     maybe. An undeclared one is there maybe if additionalProperties is given
//     and not false, never if other properties are declared, and nobody knows of
//     an object of which nothing is declared.
//   - Of an array, item i is there always if minItems is above i, never if
//     maxItems is not, else maybe.
//   - Of null and scalars, nothing is there.
//
// If it is never there, that is field_not_found; sometimes, may_be_absent;
// nobody knows, unchecked.
//
// A produced type fits a consumed one if each JSON type of each produced form is
// accepted by a consumed form that it fits: an integer where a number is wanted
// and otherwise the same JSON type; objects property by property, with every
// required property always there and none that is refused (of an object that
// may hold more than it declares, nobody knows what it holds); arrays item by item;
// known values not all outside known values. Otherwise it is a type_mismatch,
// except that a type that may also be null where null is refused is
// may_be_absent. Where a consumed type says more than that (not, if, oneOf with
// several forms that accept the type, patternProperties, propertyNames,
// dependencies, contains, unevaluated...), or a produced one says nothing, it is
// unchecked.
//
// Literal values pass the whole schema. In a value that holds references, each
// part without any passes the schema of its place, and each reference stands for
// a value of its producer's type; inside a longer text it stands for a string.
package check
