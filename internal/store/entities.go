package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// Noun is a pointer to a workspace entity (*assent.Project, *assent.Task, ...).
type Noun interface{ Base() *assent.Entity }

// noun is satisfied by *T for every workspace entity T.
type noun[T any] interface {
	*T
	Noun
}

// Origin says on whose behalf and from where an entity is written; it is kept
// with the revision.
type Origin struct {
	UserID, Tool, SessionID, TurnID, RunID, StepPath string
	Undoes                                           string // id of the revision that is taken back
	Caller                                           assent.Caller
}

// OriginOf takes the origin of a write from a scope.
func OriginOf(s assent.Scope, tool string) Origin {
	return Origin{UserID: s.Person.ID, Caller: s.Caller, Tool: tool, SessionID: s.SessionID, TurnID: s.TurnID, RunID: s.RunID, StepPath: s.StepPath}
}

// columns are what lists, guards and the search need beside the JSON.
type columns struct {
	owner, title, status, due, from, to, body string
	position                                  int64
}

func columnsOf(n Noun) columns {
	switch e := n.(type) {
	case *assent.Project:
		return columns{owner: e.OwnerID, title: e.Name, status: e.Status, due: string(e.DueDate), body: e.Description}
	case *assent.Goal:
		return columns{title: e.Title, status: e.Status, body: e.Description}
	case *assent.Milestone:
		return columns{title: e.Title, status: e.Status, due: string(e.DueDate), position: e.Position, body: e.Description}
	case *assent.Task:
		return columns{title: e.Title, status: e.Status, due: string(e.DueDate), position: e.Position, body: e.Description + "\n" + e.Blocker}
	case *assent.Document:
		return columns{title: e.Title, status: e.Status, body: e.Body}
	case *assent.Risk:
		return columns{title: e.Title, status: e.Status, body: e.Description + "\n" + e.Mitigation}
	case *assent.Decision:
		return columns{title: e.Title, status: e.Status, due: string(e.DecidedOn), body: e.Rationale}
	case *assent.Relation:
		return columns{title: e.Type, from: e.FromID, to: e.ToID, body: e.Note}
	case *assent.Template:
		return columns{title: e.Name, body: e.Description}
	}
	panic(fmt.Sprintf("store: %T is no workspace entity", n))
}

// newNoun gives an empty entity of a kind.
func newNoun(k assent.Kind) (Noun, error) {
	switch k {
	case assent.KindProject:
		return &assent.Project{}, nil
	case assent.KindGoal:
		return &assent.Goal{}, nil
	case assent.KindMilestone:
		return &assent.Milestone{}, nil
	case assent.KindTask:
		return &assent.Task{}, nil
	case assent.KindDocument:
		return &assent.Document{}, nil
	case assent.KindRisk:
		return &assent.Risk{}, nil
	case assent.KindDecision:
		return &assent.Decision{}, nil
	case assent.KindRelation:
		return &assent.Relation{}, nil
	case assent.KindTemplate:
		return &assent.Template{}, nil
	}
	return nil, assent.NotFound("kind " + string(k))
}

// Title is what an entity is called on pages and in summaries.
func Title(n Noun) string { return columnsOf(n).title }

// CreateEntity stores a new entity as revision 1, with its revision row. It
// sets Revision and the times; a project's ProjectID is its own id.
func (tx *Tx) CreateEntity(o Origin, n Noun) error {
	e := n.Base()
	if e.ID == "" {
		e.ID = tx.NewID()
	}
	if e.Kind == assent.KindProject {
		e.ProjectID = e.ID
	}
	e.Revision, e.CreatedBy, e.CreatedAt, e.UpdatedAt = 1, o.UserID, tx.Now(), tx.Now()
	return tx.insertEntity(o, n, "create")
}

func (tx *Tx) insertEntity(o Origin, n Noun, op string) error {
	e, c := n.Base(), columnsOf(n)
	data, err := encode(n)
	if err != nil {
		return err
	}
	if err := tx.q.CreateEntity(context.Background(), sqlc.CreateEntityParams{ID: e.ID, Kind: string(e.Kind), ProjectID: e.ProjectID, OwnerID: c.owner,
		Title: c.title, Status: c.status, Due: c.due, Position: c.position, FromID: c.from, ToID: c.to, Revision: e.Revision, Data: data,
		CreatedBy: e.CreatedBy, CreatedAt: int64(e.CreatedAt), UpdatedAt: int64(e.UpdatedAt)}); err != nil {
		return err
	}
	if err := tx.index(n); err != nil {
		return err
	}
	return tx.revise(o, n, op, "", data)
}

// UpdateEntity stores a changed entity over the revision it was read at. A
// newer one in between gives the stale error.
func (tx *Tx) UpdateEntity(o Origin, n Noun) error {
	e, c := n.Base(), columnsOf(n)
	old, err := tx.q.FindEntity(context.Background(), e.ID)
	if err != nil {
		return rowError(err, string(e.Kind))
	}
	from := e.Revision
	e.Revision, e.UpdatedAt = from+1, tx.Now()
	data, err := encode(n)
	if err != nil {
		return err
	}
	rows, err := tx.q.UpdateEntity(context.Background(), sqlc.UpdateEntityParams{ProjectID: e.ProjectID, OwnerID: c.owner, Title: c.title,
		Status: c.status, Due: c.due, Position: c.position, FromID: c.from, ToID: c.to, Revision: e.Revision, Data: data,
		UpdatedAt: int64(e.UpdatedAt), ID: e.ID, FromRevision: from})
	if err != nil {
		return err
	}
	if rows == 0 {
		return StaleRevision(e.Kind, old.Revision)
	}
	if err := tx.index(n); err != nil {
		return err
	}
	return tx.revise(o, n, "update", old.Data, data)
}

// StaleRevision says that somebody else changed the entity in between.
func StaleRevision(k assent.Kind, current int64) error {
	return &assent.Error{Code: assent.CodeStale, Message: fmt.Sprintf("This %s was changed by someone else in between; it is at revision %d now.", k, current),
		Hint: "Read it again, then repeat the change on what you find.", Details: map[string]any{"revision": current}}
}

// DeleteEntity removes an entity; its last state stays in its revisions, from
// which an undo restores it.
func (tx *Tx) DeleteEntity(o Origin, n Noun) error {
	e := n.Base()
	old, err := tx.q.FindEntity(context.Background(), e.ID)
	if err != nil {
		return rowError(err, string(e.Kind))
	}
	rows, err := tx.q.DeleteEntity(context.Background(), sqlc.DeleteEntityParams{ID: e.ID, FromRevision: e.Revision})
	if err != nil {
		return err
	}
	if rows == 0 {
		return StaleRevision(e.Kind, old.Revision)
	}
	if err := tx.unindex(e.ID); err != nil {
		return err
	}
	e.Revision++
	return tx.revise(o, n, "delete", old.Data, "")
}

func (tx *Tx) revise(o Origin, n Noun, op, before, after string) error {
	e := n.Base()
	return tx.q.CreateRevision(context.Background(), sqlc.CreateRevisionParams{ID: tx.NewID(), Kind: string(e.Kind), EntityID: e.ID, ProjectID: e.ProjectID,
		Revision: e.Revision, Op: op, Title: columnsOf(n).title, Before: before, After: after, UserID: o.UserID, Caller: string(o.Caller), Tool: o.Tool,
		SessionID: o.SessionID, TurnID: o.TurnID, RunID: o.RunID, StepPath: o.StepPath, At: int64(tx.Now()), Undoes: o.Undoes})
}

// RestoreEntity puts an entity back to the state in a revision's Before or
// After JSON, as a new revision. It works for changed and for deleted ones.
func (tx *Tx) RestoreEntity(o Origin, k assent.Kind, state json.RawMessage) (Noun, error) {
	n, err := newNoun(k)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(state, n); err != nil {
		return nil, err
	}
	e := n.Base()
	current, err := tx.q.FindEntity(context.Background(), e.ID)
	if err == nil {
		e.Revision = current.Revision
		return n, tx.UpdateEntity(o, n)
	}
	if assent.ErrorCode(rowError(err, "")) != assent.CodeNotFound {
		return nil, err
	}
	lastRevs, err := tx.q.ListEntityRevisions(context.Background(), sqlc.ListEntityRevisionsParams{EntityID: e.ID, BeforeRevision: math.MaxInt64, RowLimit: 1})
	if err != nil {
		return nil, err
	}
	if len(lastRevs) > 0 {
		e.Revision = lastRevs[0].Revision
	}
	e.Revision++
	e.UpdatedAt = tx.Now()
	return n, tx.insertEntity(o, n, "restore")
}

// Find gives an entity of type T by id; whose it is must be checked by the
// caller (MaySee).
func Find[T any, P noun[T]](ctx context.Context, r Reads, id string) (T, error) {
	var out T
	row, err := r.q.FindEntity(plain(ctx), id)
	kind := kindOf[T]()
	if err == nil && row.Kind != string(kind) {
		return out, assent.NotFound(string(kind))
	}
	if err != nil {
		return out, rowError(err, string(kind))
	}
	return out, decode(row.Data, &out)
}

// FindAny gives an entity of whatever kind by id.
func (r Reads) FindAny(ctx context.Context, id string) (Noun, error) {
	row, err := r.q.FindEntity(plain(ctx), id)
	if err != nil {
		return nil, rowError(err, "thing in the workspace")
	}
	n, err := newNoun(assent.Kind(row.Kind))
	if err != nil {
		return nil, err
	}
	return n, decode(row.Data, n)
}

func kindOf[T any]() assent.Kind {
	var t T
	switch any(t).(type) {
	case assent.Project:
		return assent.KindProject
	case assent.Goal:
		return assent.KindGoal
	case assent.Milestone:
		return assent.KindMilestone
	case assent.Task:
		return assent.KindTask
	case assent.Document:
		return assent.KindDocument
	case assent.Risk:
		return assent.KindRisk
	case assent.Decision:
		return assent.KindDecision
	case assent.Relation:
		return assent.KindRelation
	case assent.Template:
		return assent.KindTemplate
	}
	panic(fmt.Sprintf("store: %T is no workspace entity", t))
}

// Filter narrows a list of entities; empty fields do not. UserID is whose
// projects are looked at.
type Filter struct {
	UserID, ProjectID, Status string
	DueBefore                 assent.Date
	Page
}

// List gives entities of type T that the user may see, by position and id,
// and the cursor of the next page.
func List[T any, P noun[T]](ctx context.Context, r Reads, f Filter) ([]T, string, error) {
	return ListDecoded[T, P](ctx, r, f, func(_, data string) (t T, err error) { return t, decode(data, &t) })
}

// ListDecoded is List for a caller that knows some entities already: of gives an
// entity for its id and its stored JSON.
func ListDecoded[T any, P noun[T]](ctx context.Context, r Reads, f Filter, of func(id, data string) (T, error)) ([]T, string, error) {
	pos, id := int64(math.MinInt64), ""
	if f.Cursor != "" {
		var ok bool
		if pos, id, ok = splitCursor(f.Cursor); !ok {
			return nil, "", assent.Invalid("/cursor", "invalid", "The cursor is not one that a list gave out.")
		}
	}
	rows, err := r.listed(plain(ctx), kindOf[T](), f, pos, id)
	next := nextCursor(rows, f.Page, func(e sqlc.ListEntitiesRow) string { return fmt.Sprintf("%d.%s", e.Position, e.ID) })
	out, err := each(rows, err, func(row sqlc.ListEntitiesRow) (T, error) { return of(row.ID, row.Data) })
	return out, next, err
}

// listed reads a page of entities: templates that shipped, an admin's or the
// person's own; the rest is of one project or of all that the person may see.
func (r Reads) listed(ctx context.Context, k assent.Kind, f Filter, pos int64, id string) ([]sqlc.ListEntitiesRow, error) {
	switch {
	case k == assent.KindTemplate:
		rows, err := r.q.ListTemplates(ctx, sqlc.ListTemplatesParams{UserID: f.UserID, AfterPosition: pos, AfterID: id, RowLimit: f.limit()})
		return each(rows, err, pure(func(e sqlc.ListTemplatesRow) sqlc.ListEntitiesRow { return sqlc.ListEntitiesRow(e) }))
	case f.ProjectID != "":
		rows, err := r.q.ListInProject(ctx, sqlc.ListInProjectParams{Kind: string(k), ProjectID: f.ProjectID, Status: f.Status,
			DueBefore: string(f.DueBefore), UserID: f.UserID, AfterPosition: pos, AfterID: id, RowLimit: f.limit()})
		return each(rows, err, pure(func(e sqlc.ListInProjectRow) sqlc.ListEntitiesRow { return sqlc.ListEntitiesRow(e) }))
	}
	return r.q.ListEntities(ctx, sqlc.ListEntitiesParams{Kind: string(k), Status: f.Status, DueBefore: string(f.DueBefore), UserID: f.UserID,
		AfterPosition: pos, AfterID: id, RowLimit: f.limit()})
}

// ListProjectEntities gives everything in a project but the project itself.
func (r Reads) ListProjectEntities(ctx context.Context, projectID string) ([]Noun, error) {
	rows, err := r.q.ListProjectEntities(plain(ctx), projectID)
	return each(rows, err, nounOf)
}

// ListRelationsOf gives the relations from and to an entity.
func (r Reads) ListRelationsOf(ctx context.Context, id string) ([]assent.Relation, error) {
	rows, err := r.q.ListRelationsOf(plain(ctx), id)
	return each(rows, err, func(row sqlc.Entity) (assent.Relation, error) {
		var t assent.Relation
		return t, decode(row.Data, &t)
	})
}

func nounOf(row sqlc.Entity) (Noun, error) {
	n, err := newNoun(assent.Kind(row.Kind))
	if err != nil {
		return nil, err
	}
	return n, decode(row.Data, n)
}

// CountEntities counts what a person may see, by kind, in all or one project.
func (r Reads) CountEntities(ctx context.Context, userID, projectID string) (map[string]int, error) {
	rows, err := r.q.CountEntities(plain(ctx), sqlc.CountEntitiesParams{UserID: userID, ProjectID: projectID})
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(rows))
	for _, c := range rows {
		out[c.Kind] = int(c.N)
	}
	return out, nil
}

// MaySee reports whether a person owns a project or is a member of it.
func (r Reads) MaySee(ctx context.Context, userID, projectID string) (bool, error) {
	return r.q.MaySeeProject(plain(ctx), sqlc.MaySeeProjectParams{ProjectID: projectID, UserID: userID})
}

// NextPosition is the place after the last entity of a kind in a project.
func (tx *Tx) NextPosition(projectID string, k assent.Kind) (int64, error) {
	return tx.q.NextPosition(context.Background(), sqlc.NextPositionParams{ProjectID: projectID, Kind: string(k)})
}

// AddMember lets a person see and change a project.
func (tx *Tx) AddMember(projectID, userID string) error {
	return tx.q.AddProjectMember(context.Background(), sqlc.AddProjectMemberParams{ProjectID: projectID, UserID: userID, AddedAt: int64(tx.Now())})
}

// RemoveMember ends that.
func (tx *Tx) RemoveMember(projectID, userID string) error {
	n, err := tx.q.RemoveProjectMember(context.Background(), sqlc.RemoveProjectMemberParams{ProjectID: projectID, UserID: userID})
	return expectOne(n, err, "member")
}

// ListMembers gives the people in a project beside its owner.
func (r Reads) ListMembers(ctx context.Context, projectID string) ([]assent.Member, error) {
	rows, err := r.q.ListProjectMembers(plain(ctx), projectID)
	return each(rows, err, pure(func(m sqlc.ListProjectMembersRow) assent.Member {
		return assent.Member{ProjectID: m.ProjectID, UserID: m.UserID, Email: m.Email, Name: m.Name, AddedAt: assent.Time(m.AddedAt)}
	}))
}

func revisionOf(r sqlc.Revision) assent.Revision {
	return assent.Revision{ID: r.ID, Kind: assent.Kind(r.Kind), EntityID: r.EntityID, ProjectID: r.ProjectID, Revision: r.Revision, Op: r.Op,
		Title: r.Title, Before: raw(r.Before), After: raw(r.After), UserID: r.UserID, Caller: assent.Caller(r.Caller), Tool: r.Tool,
		SessionID: r.SessionID, TurnID: r.TurnID, RunID: r.RunID, StepPath: r.StepPath, At: assent.Time(r.At)}
}

// ListRevisions gives an entity's revisions, newest first.
func (r Reads) ListRevisions(ctx context.Context, entityID string, before int64, limit int) ([]assent.Revision, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	rows, err := r.q.ListEntityRevisions(plain(ctx), sqlc.ListEntityRevisionsParams{EntityID: entityID, BeforeRevision: before, RowLimit: Page{Limit: limit}.limit()})
	return each(rows, err, pure(revisionOf))
}

// FindRevision gives one revision of an entity.
func (r Reads) FindRevision(ctx context.Context, entityID string, revision int64) (assent.Revision, error) {
	row, err := r.q.FindRevision(plain(ctx), sqlc.FindRevisionParams{EntityID: entityID, Revision: revision})
	return revisionOf(row), rowError(err, "revision")
}

// FindRevisionByID gives one revision row.
func (r Reads) FindRevisionByID(ctx context.Context, id string) (assent.Revision, error) {
	row, err := r.q.FindRevisionByID(plain(ctx), id)
	return revisionOf(row), rowError(err, "revision")
}

// ListProjectRevisions gives what happened in a project, newest first, with the
// cursor of the next page.
func (r Reads) ListProjectRevisions(ctx context.Context, projectID string, p Page) ([]assent.Revision, string, error) {
	rows, err := r.q.ListProjectRevisions(plain(ctx), sqlc.ListProjectRevisionsParams{ProjectID: projectID, BeforeID: p.before(), RowLimit: p.limit()})
	out, err := each(rows, err, pure(revisionOf))
	return out, nextCursor(out, p, func(r assent.Revision) string { return r.ID }), err
}

// ListRunRevisions gives what a run wrote and nobody took back, newest first.
func (r Reads) ListRunRevisions(ctx context.Context, runID string) ([]assent.Revision, error) {
	rows, err := r.q.ListRunRevisions(plain(ctx), runID)
	return each(rows, err, pure(revisionOf))
}

// ChangedSince reports whether anything stands that happened to an entity after
// a revision; what was done and taken back does not.
func (r Reads) ChangedSince(ctx context.Context, entityID string, revision int64) (bool, error) {
	n, err := r.q.CountForeignRevisions(plain(ctx), sqlc.CountForeignRevisionsParams{EntityID: entityID, AfterRevision: revision})
	return n > 0, err
}

// ListTurnRevisions gives what a turn wrote (its runs included), oldest first.
func (r Reads) ListTurnRevisions(ctx context.Context, turnID string) ([]assent.Revision, error) {
	rows, err := r.q.ListTurnRevisions(plain(ctx), turnID)
	return each(rows, err, pure(revisionOf))
}
