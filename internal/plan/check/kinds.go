package check

import (
	"encoding/json"
	"math/big"
	"strings"
)

// kinds is a set of JSON types. The type "number" is integer and fraction.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	integer
	fraction
	text
	array
	object

	anything = null | boolean | integer | fraction | text | array | object
)

// each gives the single types of a set.
func (k kinds) each() []kinds {
	var out []kinds
	for one := null; one <= object; one <<= 1 {
		if k&one != 0 {
			out = append(out, one)
		}
	}
	return out
}

func (k kinds) String() string {
	if k == anything {
		return "any value"
	}
	var names []string
	for _, one := range k.each() {
		switch one {
		case null:
			names = append(names, "null")
		case boolean:
			names = append(names, "a boolean")
		case integer:
			if k&fraction == 0 {
				names = append(names, "an integer")
			}
		case fraction:
			names = append(names, "a number")
		case text:
			names = append(names, "a string")
		case array:
			names = append(names, "an array")
		case object:
			names = append(names, "an object")
		}
	}
	return strings.Join(names, " or ")
}

func kindOfName(name string) kinds {
	switch name {
	case "null":
		return null
	case "boolean":
		return boolean
	case "integer":
		return integer
	case "number":
		return integer | fraction
	case "string":
		return text
	case "array":
		return array
	case "object":
		return object
	}
	return 0
}

// kindOf gives the type of a decoded value.
func kindOf(v any) kinds {
	switch v := v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case json.Number:
		if r, ok := new(big.Rat).SetString(string(v)); ok && !r.IsInt() {
			return fraction
		}
		return integer
	case string:
		return text
	case []any:
		return array
	}
	return object
}
