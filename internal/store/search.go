package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode"

	"assent/internal/assent"
)

// The search index is an FTS5 table, the one place where SQL is not portable
// (design 01); it stays behind this file.

// index puts an entity's words into the search index. Relations have none.
func (tx *Tx) index(n Noun) error {
	e, c := n.Base(), columnsOf(n)
	if e.Kind == assent.KindRelation {
		return nil
	}
	key, known, err := tx.searchKey(e.ID)
	if err != nil {
		return err
	}
	if known {
		if err := tx.exec("DELETE FROM search_index WHERE rowid = ?", key); err != nil {
			return err
		}
	}
	return tx.exec("INSERT INTO search_index (rowid, kind, entity_id, project_id, user_id, title, body) VALUES (?, ?, ?, ?, '', ?, ?)",
		key, string(e.Kind), e.ID, e.ProjectID, c.title, c.body)
}

// searchKey gives the key of an entity in the index, making one if need be.
func (tx *Tx) searchKey(id string) (key int64, known bool, err error) {
	ctx := context.Background()
	err = tx.db.QueryRowContext(ctx, "SELECT id FROM search_keys WHERE entity_id = ?", id).Scan(&key)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return key, true, err
	}
	err = tx.db.QueryRowContext(ctx, "INSERT INTO search_keys (entity_id) VALUES (?) RETURNING id", id).Scan(&key)
	return key, false, err
}

// unindex takes an entity out of the index; its key stays for an undo.
func (tx *Tx) unindex(id string) error {
	return tx.exec("DELETE FROM search_index WHERE rowid = (SELECT id FROM search_keys WHERE entity_id = ?)", id)
}

func (tx *Tx) exec(query string, args ...any) error {
	_, err := tx.db.ExecContext(context.Background(), query, args...)
	return err
}

const searchSQL = `
SELECT kind, entity_id, project_id, title, snippet(search_index, 5, '', '', '…', 16)
FROM search_index
WHERE search_index MATCH ?
  AND (? = '' OR project_id = ?)
  AND (project_id = '' OR project_id IN (
        SELECT p.id FROM entities p WHERE p.kind = 'project' AND p.owner_id = ?
        UNION SELECT m.project_id FROM project_members m WHERE m.user_id = ?))
ORDER BY bm25(search_index, 0, 0, 0, 0, 5.0, 1.0) LIMIT ?`

const searchSessionsSQL = `
SELECT s.id, s.title, COALESCE((SELECT m.content FROM messages m WHERE m.session_id = s.id AND m.content LIKE ? ESCAPE '\' ORDER BY m.id LIMIT 1), '')
FROM sessions s
WHERE s.user_id = ?
  AND (s.title LIKE ? ESCAPE '\' OR EXISTS (SELECT 1 FROM messages m WHERE m.session_id = s.id AND m.content LIKE ? ESCAPE '\'))
ORDER BY s.updated_at DESC LIMIT ?`

// Search finds workspace entities by words (prefixes count), best match first,
// among what the person may see. projectID and kinds narrow it when given.
func (r Reads) Search(ctx context.Context, userID, query, projectID string, kinds []string, limit int) ([]assent.SearchHit, error) {
	match := matchQuery(query)
	if match == "" {
		return []assent.SearchHit{}, nil
	}
	rows, err := r.db.QueryContext(plain(ctx), searchSQL, match, projectID, projectID, userID, userID, 4*limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	wanted := map[string]bool{}
	for _, k := range kinds {
		wanted[k] = true
	}
	out := []assent.SearchHit{}
	for rows.Next() && len(out) < limit {
		var h assent.SearchHit
		if err := rows.Scan(&h.Kind, &h.ID, &h.ProjectID, &h.Title, &h.Snippet); err != nil {
			return nil, err
		}
		if len(wanted) == 0 || wanted[h.Kind] {
			out = append(out, h)
		}
	}
	return out, rows.Err()
}

// SearchSessions finds a person's conversations by title or by what was said.
func (r Reads) SearchSessions(ctx context.Context, userID, query string, limit int) ([]assent.SearchHit, error) {
	if strings.TrimSpace(query) == "" {
		return []assent.SearchHit{}, nil
	}
	like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(query)) + "%"
	rows, err := r.db.QueryContext(plain(ctx), searchSessionsSQL, like, userID, like, like, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []assent.SearchHit{}
	for rows.Next() {
		h := assent.SearchHit{Kind: "session"}
		if err := rows.Scan(&h.ID, &h.Title, &h.Snippet); err != nil {
			return nil, err
		}
		h.Snippet = assent.Clip(h.Snippet, 160)
		out = append(out, h)
	}
	return out, rows.Err()
}

// matchQuery turns free words into an FTS5 query that cannot be a syntax error:
// each word quoted, the last letters open.
func matchQuery(q string) string {
	words := strings.FieldsFunc(q, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 12 {
		words = words[:12]
	}
	for i, w := range words {
		words[i] = `"` + w + `"*`
	}
	return strings.Join(words, " ")
}
