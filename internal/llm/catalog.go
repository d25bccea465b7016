package llm

// Target is one model of one provider.
type Target struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// String is "provider/model", the form in which usage rows name a target.
func (t Target) String() string { return t.Provider + "/" + t.Model }

// Price is what a million tokens cost, in micro-dollars. Cached is the price of
// those input tokens that the provider read from its cache.
type Price struct {
	In     int64 `json:"in"`
	Out    int64 `json:"out"`
	Cached int64 `json:"cached"`
}

// Catalog maps each profile to the models to try, best first, and holds the
// prices, by "provider/model" or by model alone. It is read-only once given to
// a gateway.
type Catalog struct {
	Profiles map[Profile][]Target
	Prices   map[string]Price
}

// SingleModel is the catalog of a set-up with one model: all profiles use it.
func SingleModel(t Target) Catalog {
	one := []Target{t}
	return Catalog{Profiles: map[Profile][]Target{
		ProfileSpeed: one, ProfileBalanced: one, ProfileQuality: one,
	}}
}

// Targets are the models to try for p, in order. A profile that nobody set
// borrows the models of balanced, then speed, then quality, so that one entry
// is enough to begin with.
func (c Catalog) Targets(p Profile) []Target {
	for _, q := range []Profile{p, ProfileBalanced, ProfileSpeed, ProfileQuality} {
		if t := c.Profiles[q]; len(t) > 0 {
			return t
		}
	}
	return nil
}

// Cost is what tok cost at t in micro-dollars, rounded to the nearest; nil if
// the model has no price.
func (c Catalog) Cost(t Target, tok Tokens) *int64 {
	p, ok := c.Prices[t.String()]
	if !ok {
		p, ok = c.Prices[t.Model]
	}
	if !ok {
		return nil
	}
	const million = 1_000_000
	sum := (tok.In-tok.Cached)*p.In + tok.Cached*p.Cached + tok.Out*p.Out
	cost := (sum + million/2) / million
	return &cost
}
