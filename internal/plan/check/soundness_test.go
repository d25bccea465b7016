package check_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/check"
	"assent/internal/plan/lang"
	"assent/internal/schema"
)

// object is a JSON Schema, or any JSON object.
type object = map[string]any

// world makes random schemas, plans and outputs.
type world struct {
	*rand.Rand
	schemas *schema.Compiler
}

func (w world) one(n int) bool { return w.IntN(n) == 0 }

// schema makes a random schema; names of properties are few, so that they meet.
func (w world) schema(depth int) object {
	if depth == 0 {
		return w.scalar()
	}
	switch w.IntN(14) {
	case 0, 1, 2, 3, 4:
		return w.object(depth)
	case 5, 6:
		return w.array(depth)
	case 7:
		return object{"anyOf": []any{w.schema(depth - 1), w.schema(depth - 1)}}
	case 8:
		return object{[]string{"anyOf", "oneOf"}[w.IntN(2)]: []any{w.schema(depth - 1), object{"type": "null"}}}
	case 9:
		return object{"allOf": []any{w.open(depth - 1), w.open(depth - 1)}}
	case 10:
		s := w.schema(depth - 1)
		if _, ok := s["type"].(string); ok {
			s["nullable"] = true
		}
		return s
	}
	return w.scalar()
}

func (w world) scalar() object {
	switch w.IntN(11) {
	case 0:
		return object{"type": "boolean"}
	case 1, 2:
		return object{"type": "integer"}
	case 3:
		return object{"type": "number"}
	case 4:
		return object{"type": []any{"string", "integer"}}
	case 5:
		return object{"enum": []any{"a", json.Number("1"), nil}[:1+w.IntN(3)]}
	case 6:
		return object{"const": []any{"a", "b", json.Number("2")}[w.IntN(3)]}
	case 7:
		return object{[]string{"description", "title"}[w.IntN(2)]: "anything"}
	}
	return object{"type": "string"}
}

func (w world) properties(depth int) (object, []any) {
	props, required := object{}, []any{}
	for range w.IntN(4) {
		name := string(rune('a' + w.IntN(4)))
		props[name] = w.schema(depth - 1)
		if !w.one(3) {
			required = append(required, name)
		}
	}
	return props, required
}

func (w world) object(depth int) object {
	props, required := w.properties(depth)
	s := object{"type": "object", "properties": props, "required": required}
	switch w.IntN(6) {
	case 0:
		s["additionalProperties"] = true
	case 1:
		s["additionalProperties"] = w.schema(depth - 1)
	case 2, 3, 4:
		s["additionalProperties"] = false
	}
	if w.one(12) {
		delete(s, "type")
	}
	if w.one(12) {
		s["patternProperties"] = object{"^x": w.schema(depth - 1)}
	}
	return s
}

func (w world) open(depth int) object {
	if depth < 1 {
		depth = 1
	}
	props, required := w.properties(depth)
	return object{"type": "object", "properties": props, "required": required}
}

func (w world) array(depth int) object {
	s := object{"type": "array", "items": w.schema(depth - 1)}
	if w.one(2) {
		s["minItems"] = json.Number(strconv.Itoa(1 + w.IntN(2)))
	}
	if w.one(4) {
		s["prefixItems"] = []any{w.schema(depth - 1), w.schema(depth - 1)}
	}
	if w.one(6) {
		s["maxItems"] = json.Number("2")
	}
	return s
}

// shared moves a schema's parts into $defs, so that local references are met.
func (w world) shared(s object) object {
	if props, ok := s["properties"].(object); ok && w.one(3) {
		defs := object{}
		for name, sub := range props {
			defs["d"+name] = sub
			props[name] = object{"$ref": "#/$defs/d" + name}
		}
		s["$defs"] = defs
	}
	return s
}

// value makes a value that may satisfy a schema; what does not is thrown away
// by the caller.
func (w world) value(s object, root object) any {
	if ref, ok := s["$ref"].(string); ok {
		return w.value(root["$defs"].(object)[strings.TrimPrefix(ref, "#/$defs/")].(object), root)
	}
	if s["nullable"] == true && w.one(3) {
		return nil
	}
	for _, k := range []string{"anyOf", "oneOf"} {
		if list, ok := s[k].([]any); ok {
			return w.value(list[w.IntN(len(list))].(object), root)
		}
	}
	if list, ok := s["allOf"].([]any); ok {
		out := object{}
		for _, sub := range list {
			if m, ok := w.value(sub.(object), root).(object); ok {
				maps.Copy(out, m)
			}
		}
		return out
	}
	if list, ok := s["enum"].([]any); ok {
		return list[w.IntN(len(list))]
	}
	if c, ok := s["const"]; ok {
		return c
	}
	switch t := s["type"].(type) {
	case string:
		return w.typed(t, s, root)
	case []any:
		return w.typed(t[w.IntN(len(t))].(string), s, root)
	}
	if s["properties"] != nil && !w.one(3) {
		return w.typed("object", s, root)
	}
	return w.typed([]string{"string", "null", "integer", "object", "array"}[w.IntN(5)], object{}, root)
}

func (w world) typed(t string, s, root object) any {
	switch t {
	case "boolean":
		return w.one(2)
	case "integer":
		return json.Number([]string{"0", "7", "-3", "2.0"}[w.IntN(4)])
	case "number":
		return json.Number([]string{"0", "1.5", "-1e-3"}[w.IntN(3)])
	case "string":
		return []string{"", "a", "b", "$5", "{{"}[w.IntN(5)]
	case "array":
		return w.items(s, root)
	case "object":
		return w.fields(s, root)
	}
	return nil
}

func (w world) items(s, root object) any {
	out := []any{}
	prefix, _ := s["prefixItems"].([]any)
	for i := range w.IntN(5) {
		switch item, ok := s["items"].(object); {
		case i < len(prefix):
			out = append(out, w.value(prefix[i].(object), root))
		case ok:
			out = append(out, w.value(item, root))
		default:
			out = append(out, "free")
		}
	}
	return out
}

func (w world) fields(s, root object) any {
	out := object{}
	props, _ := s["properties"].(object)
	required, _ := s["required"].([]any)
	for name, sub := range props {
		if slices.Contains(required, any(name)) || w.one(2) {
			out[name] = w.value(sub.(object), root)
		}
	}
	if s["additionalProperties"] != false && w.one(2) {
		extra := any("free")
		if sub, ok := s["additionalProperties"].(object); ok {
			extra = w.value(sub, root)
		}
		out[string(rune('a'+w.IntN(6)))] = extra
	}
	return out
}

// output makes an output that fits a tool's schema.
func (w world) output(raw json.RawMessage, s object) (json.RawMessage, bool) {
	for range 20 {
		b := encode(w.value(s, s))
		if w.schemas.Validate(raw, b) == nil {
			return b, true
		}
	}
	return nil, false
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// into picks a path into a schema and gives the part there.
func (w world) into(s, root object) (path []string, part object) {
	for range 4 {
		if ref, ok := s["$ref"].(string); ok {
			s = root["$defs"].(object)[strings.TrimPrefix(ref, "#/$defs/")].(object)
			continue
		}
		if w.one(4) {
			break
		}
		if props, ok := s["properties"].(object); ok && len(props) > 0 {
			name := slices.Sorted(maps.Keys(props))[w.IntN(len(props))]
			path, s = append(path, name), props[name].(object)
		} else if item, ok := s["items"].(object); ok {
			path, s = append(path, strconv.Itoa(w.IntN(2))), item
		} else if list, ok := s["anyOf"].([]any); ok {
			s = list[w.IntN(len(list))].(object)
		}
	}
	if w.one(10) {
		path = append(path, string(rune('a'+w.IntN(4))))
	}
	return path, s
}

// wanted makes what a consumer wants of what a producer gives: the same, a
// little more or less, or something else.
func (w world) wanted(part, root object) (s object) {
	if json.Unmarshal(encode(part), &s) != nil {
		panic("a schema that is none")
	}
	if defs, ok := root["$defs"]; ok {
		s["$defs"] = defs
	}
	defer func() { typesInUnions(s, false) }()
	switch w.IntN(8) {
	case 0:
		s = w.schema(2)
	case 1:
		s = object{"anyOf": []any{s, w.scalar()}, "$defs": s["$defs"]}
	case 2:
		if s["type"] == "integer" {
			s["type"] = "number"
		}
	case 3:
		delete(s, "required")
	case 4:
		delete(s, "additionalProperties")
	case 5:
		s["additionalProperties"] = false
	}
	return s
}

// typesInUnions replaces listed values by their types inside anyOf and oneOf:
// there a wrong value shows as a wrong type, namely that of another branch, and
// the two could not be told apart below.
func typesInUnions(v any, inside bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			typesInUnions(item, inside)
		}
	case object:
		for k, sub := range v {
			typesInUnions(sub, inside || k == "anyOf" || k == "oneOf" || k == "$defs")
		}
		_, list := v["enum"].([]any)
		_, scalar := v["const"].(object)
		if inside && (list || v["const"] != nil && !scalar) {
			delete(v, "enum")
			delete(v, "const")
			v["type"] = []any{"string", "integer", "null"}
		}
	}
}

// trial is one random plan: some producers and one consumer.
type trial struct {
	tools     map[string]assent.ToolSpec
	producers []object
	plan      string
}

func (w world) trial() trial {
	tr := trial{tools: map[string]assent.ToolSpec{}}
	var list []string
	for i := range 1 + w.IntN(3) {
		s := w.shared(w.object(3))
		name := fmt.Sprint("p", i)
		tr.producers = append(tr.producers, s)
		tr.tools[name] = assent.ToolSpec{Name: name, Effect: assent.EffectRead, Source: "builtin", InputSchema: json.RawMessage(`{}`), OutputSchema: encode(s)}
		list = append(list, tool(name, name, `{}`, `,"result_key":"k`+strconv.Itoa(i)+`"`))
	}
	props, args, required := object{}, object{}, []any{}
	defs := object{}
	for i := range 1 + w.IntN(3) {
		name := "arg" + strconv.Itoa(i)
		want, value := w.argument(tr.producers, 2)
		if inner, ok := want["$defs"].(object); ok {
			if len(defs) > 0 { // names of two producers would mix
				continue
			}
			maps.Copy(defs, inner)
		}
		delete(want, "$defs")
		props[name], args[name] = want, value
		required = append(required, name)
	}
	input := object{"type": "object", "properties": props, "required": required, "additionalProperties": false, "$defs": defs}
	tr.tools["use"] = assent.ToolSpec{Name: "use", Effect: assent.EffectRead, Source: "builtin", InputSchema: encode(input)}
	tr.plan = steps(append(list, tool("use", "use", string(encode(args))))...)
	return tr
}

// argument makes what is wanted and what is given: a reference, a text with
// one, or an object or list that holds some.
func (w world) argument(producers []object, depth int) (want object, value any) {
	i := w.IntN(len(producers))
	path, part := w.into(producers[i], producers[i])
	dotted := ""
	if len(path) > 0 {
		dotted = "." + strings.Join(path, ".")
	}
	ref := fmt.Sprintf("$%d.output%s", i, dotted)
	if w.one(2) {
		ref = fmt.Sprintf("{{ result.k%d%s }}", i, dotted)
	}
	switch {
	case w.one(6):
		return object{"type": []any{"string", "null"}}, fmt.Sprintf("see {{ result.k%d%s }}", i, dotted)
	case depth > 0 && w.one(5):
		inner, v := w.argument(producers, depth-1)
		defs := inner["$defs"]
		delete(inner, "$defs")
		s := object{"type": "object", "properties": object{"x": inner, "y": object{"type": "integer"}}, "additionalProperties": w.one(2), "$defs": defs}
		if w.one(3) {
			s = object{"anyOf": []any{s, object{"type": "string"}}, "$defs": defs}
		}
		return s, object{"x": v, "y": json.Number("1")}
	case depth > 0 && w.one(6):
		inner, v := w.argument(producers, depth-1)
		defs := inner["$defs"]
		delete(inner, "$defs")
		return object{"type": "array", "items": inner, "$defs": defs}, []any{v, v}
	}
	return w.wanted(part, producers[i]), ref
}

// aboutValues reports a violation that design 03 §3 leaves to the run: which
// value it is, and not that it is there or of which type.
func aboutValues(e assent.FieldError) bool {
	if e.Code != "invalid_arguments" {
		return false
	}
	for _, s := range []string{"must be one of", `must be "`, "must be 2", "items, not"} {
		if strings.Contains(e.Message, s) {
			return true
		}
	}
	return false
}

// TestPlansWithoutWarningsNeverMissAFieldOrAType is design 03 §3's soundness:
// random plans that the checker lets pass are run against random outputs.
func TestPlansWithoutWarningsNeverMissAFieldOrAType(t *testing.T) {
	const trials = 3_000
	w := world{Rand: rand.New(rand.NewPCG(20, 26)), schemas: schema.NewCompiler()}
	c := check.New()
	passed, refused, ran, values := 0, 0, 0, 0
	for n := range trials {
		tr := w.trial()
		if slices.ContainsFunc(slices.Collect(maps.Values(tr.tools)), func(s assent.ToolSpec) bool {
			return w.schemas.Compile(s.InputSchema) != nil || w.schemas.Compile(s.OutputSchema) != nil
		}) {
			continue
		}
		doc := parse(t, tr.plan)
		rep := c.Check(doc, check.Options{Tools: func(name string) (assent.ToolSpec, string, bool) {
			s, ok := tr.tools[name]
			return s, s.Name, ok
		}})
		if !rep.Valid() {
			refused++
		}
		if !rep.Valid() || len(rep.Warnings) > 0 {
			continue
		}
		passed++
		for range 6 {
			env, ok := w.run(tr)
			if !ok {
				break
			}
			ran++
			use := doc.Steps[len(doc.Steps)-1]
			args, err := lang.Resolve(use.Arguments, env)
			if err != nil {
				t.Fatalf("trial %d: %v\n%s", n, err, describe(tr, env))
			}
			for _, e := range w.schemas.Validate(tr.tools["use"].InputSchema, args) {
				if !aboutValues(e) {
					t.Fatalf("trial %d: %s\narguments %s\n%s", n, e.Message, args, describe(tr, env))
				}
				values++
			}
		}
	}
	t.Logf("%d plans: %d refused, %d without a warning, %d runs, %d violations about values", trials, refused, passed, ran, values)
	if passed < trials/10 || refused < trials/10 || ran < passed {
		t.Error("the trials say too little")
	}
}

// run gives every producer an output.
func (w world) run(tr trial) (lang.Env, bool) {
	env := lang.Env{Results: map[string]json.RawMessage{}}
	for i, s := range tr.producers {
		out, ok := w.output(tr.tools[fmt.Sprint("p", i)].OutputSchema, s)
		if !ok {
			return env, false
		}
		env.Outputs = append(env.Outputs, out)
		env.Results[fmt.Sprint("k", i)] = out
	}
	return env, true
}

func describe(tr trial, env lang.Env) string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan %s\nwants %s\n", tr.plan, tr.tools["use"].InputSchema)
	for i, o := range env.Outputs {
		fmt.Fprintf(&b, "p%d gives %s\nof %s\n", i, o, tr.tools[fmt.Sprint("p", i)].OutputSchema)
	}
	return b.String()
}
