package workspace

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

func decodeDocument(r assent.Revision) (d assent.Document, err error) {
	return d, json.Unmarshal(r.After, &d)
}

type updateDocumentArgs struct {
	documentArgs
	Title  *string `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"New title."`
	Body   *string `json:"body,omitempty" jsonschema:"maxLength=131072" jsonschema_description:"The whole new text in Markdown."`
	Type   string  `json:"type,omitempty" jsonschema:"enum=context,enum=note,enum=report,enum=brief,enum=minutes" jsonschema_description:"New type."`
	Status string  `json:"status,omitempty" jsonschema:"enum=draft,enum=published" jsonschema_description:"New status."`
	revisionArg
}

func (b builtin) updateDocument() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "update_document", Title: "Change a document", Effect: assent.EffectWrite, Idempotent: true,
		Description: "Changes the named fields of a document as a new version; older versions stay readable. Returns the document.",
		Preview:     updates(assent.KindDocument), Target: b.titled("document_id"),
		Example: `{"document_id": "0192f000-0000-7000-8000-000000000005", "title": "Lease, as signed"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a updateDocumentArgs) (tool.Result[assent.Document], error) {
		d, err := current[assent.Document](ctx, tx, c, a.DocumentID, a.Revision)
		if err != nil {
			return tool.Result[assent.Document]{}, err
		}
		return rewrite(tx, c, &d, a)
	})
}

func rewrite(tx *store.Tx, c tool.Call, d *assent.Document, a updateDocumentArgs) (tool.Result[assent.Document], error) {
	var change patch
	change.title("title", &d.Title, a.Title)
	change.text("text", &d.Body, a.Body)
	change.choice("type", &d.Type, a.Type)
	change.choice("status", &d.Status, a.Status)
	if err := bodyFits(d.Body); err != nil {
		change.fail(err)
	}
	return save(tx, c, &change, d)
}

type publishDocumentArgs struct {
	ProjectID  string  `json:"project_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Project of a new document; that of the conversation if left out."`
	DocumentID string  `json:"document_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"The document to publish; a new one is written if left out."`
	Title      *string `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"Title; Context for a new document if left out."`
	Body       *string `json:"body,omitempty" jsonschema:"maxLength=131072" jsonschema_description:"Text in Markdown; for a new context document, what the project holds and the outline of its template if left out."`
	Type       string  `json:"type,omitempty" jsonschema:"enum=context,enum=note,enum=report,enum=brief,enum=minutes" jsonschema_description:"What sort of document it is; context for a new one if left out."`
	revisionArg
}

func (b builtin) publishDocument() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "publish_document", Title: "Publish a document", Effect: assent.EffectWrite,
		Description: "Publishes a document: the given one, with changes if any are named, or a new one. A new context document without a text is written from what the project holds. Returns the document.",
		Preview: func(by string, args json.RawMessage) assent.Preview {
			if literalsOf(args).has("document_id") {
				return previewOf(nil, one(assent.KindDocument), nil)
			}
			return previewOf(one(assent.KindDocument), nil, nil)
		},
		Target: func(by string, args json.RawMessage) string {
			if literalsOf(args).has("document_id") {
				return b.titled("document_id")(by, args)
			}
			return or(namedIn("title")(by, args), "“Context”")
		},
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "body": "# Office move\n\nWe move because the lease ends."}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a publishDocumentArgs) (tool.Result[assent.Document], error) {
		if a.DocumentID != "" {
			return publish(ctx, tx, c, a)
		}
		return publishNew(ctx, tx, c, a)
	})
}

// publish publishes a document that is there.
func publish(ctx context.Context, tx *store.Tx, c tool.Call, a publishDocumentArgs) (tool.Result[assent.Document], error) {
	d, err := current[assent.Document](ctx, tx, c, a.DocumentID, a.Revision)
	if err != nil {
		return tool.Result[assent.Document]{}, err
	}
	if a.ProjectID != "" && a.ProjectID != d.ProjectID {
		return tool.Result[assent.Document]{}, assent.Invalid("/project_id", "invalid_arguments", "The document "+quoted(&d)+" belongs to another project.")
	}
	r, err := rewrite(tx, c, &d, updateDocumentArgs{Title: a.Title, Body: a.Body, Type: a.Type, Status: "published"})
	if err == nil {
		r.Summary = "Published the document " + quoted(&d)
	}
	return r, err
}

// publishNew writes and publishes a new document.
func publishNew(ctx context.Context, tx *store.Tx, c tool.Call, a publishDocumentArgs) (tool.Result[assent.Document], error) {
	var none tool.Result[assent.Document]
	id, err := projectOf(ctx, tx.Reads, c, a.ProjectID)
	if err != nil {
		return none, err
	}
	if id == "" {
		return none, assent.Invalid("/project_id", "missing_argument", "Say in which project to publish (project_id), or which document (document_id).")
	}
	d := assent.Document{Entity: base(assent.KindDocument, id), Title: "Context", Type: or(a.Type, "context"), Status: "published"}
	if a.Title != nil {
		if d.Title, err = named("/title", *a.Title); err != nil {
			return none, err
		}
	}
	switch {
	case a.Body != nil:
		d.Body = *a.Body
	case d.Type == "context":
		if d.Body, err = contextOf(ctx, tx.Reads, id); err != nil {
			return none, err
		}
	}
	if err := bodyFits(d.Body); err != nil {
		return none, err
	}
	r, err := create(tx, c, d)
	r.Summary = "Published the document " + quoted(&d)
	return r, err
}
