package workspace

import (
	"context"
	"fmt"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type documentList struct {
	Documents []assent.Document `json:"documents"`
	Total     int               `json:"total"`
}

func (b builtin) listDocuments() *tool.Tool {
	return tool.New(tool.Def{Name: "list_documents", Title: "List documents", Effect: assent.EffectRead,
		Description: "Lists the documents of one or all projects. Returns documents with title, type, status and text; in a long list texts are shortened with a mark, and get_document gives the whole.",
		Example:     `{"project_id": "0192f000-0000-7000-8000-000000000001"}`,
	}, func(ctx context.Context, c tool.Call, a inProjectArgs) (tool.Result[documentList], error) {
		found, err := within[assent.Document](ctx, b.reads, c, a.ProjectID)
		total := len(found)
		return tool.Result[documentList]{Artifact: documentList{Documents: first(found, 200), Total: total}, Summary: "Found " + count(total, "document")}, err
	})
}

type documentArgs struct {
	DocumentID string `json:"document_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the document."`
}

type getDocumentArgs struct {
	documentArgs
	Version int64 `json:"version,omitempty" jsonschema:"minimum=1" jsonschema_description:"An older version; its versions are its revisions. The newest if left out."`
}

func (b builtin) getDocument() *tool.Tool {
	return tool.New(tool.Def{Name: "get_document", Title: "Read a document", Effect: assent.EffectRead,
		Description: "Reads one document, if wanted as it was in an older version. Returns the document with its whole text in Markdown.",
		Example:     `{"document_id": "0192f000-0000-7000-8000-000000000005"}`,
	}, func(ctx context.Context, c tool.Call, a getDocumentArgs) (tool.Result[assent.Document], error) {
		d, err := find[assent.Document](ctx, b.reads, c, a.DocumentID)
		if err != nil {
			return tool.Result[assent.Document]{}, err
		}
		summary := "Read the document " + quoted(&d)
		if a.Version != 0 && a.Version != d.Revision {
			if d, err = b.version(ctx, d, a.Version); err != nil {
				return tool.Result[assent.Document]{}, err
			}
			summary += fmt.Sprintf(", version %d", a.Version)
		}
		return tool.Result[assent.Document]{ArtifactID: d.ID, Artifact: d, Summary: summary}, nil
	})
}

type searchDocumentsArgs struct {
	Query string `json:"query" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"Words in the title or text; the beginning of a word is enough."`
	inProjectArgs
	limitArg
}

func (b builtin) searchDocuments() *tool.Tool {
	return tool.New(tool.Def{Name: "search_documents", Title: "Search documents", Effect: assent.EffectRead,
		Description: "Searches the titles and texts of documents, best match first. Returns documents with their text; in a long list texts are shortened with a mark, and get_document gives the whole.",
		Example:     `{"query": "lease", "limit": 5}`,
	}, func(ctx context.Context, c tool.Call, a searchDocumentsArgs) (tool.Result[documentList], error) {
		project, err := projectOf(ctx, b.reads, c, a.ProjectID)
		if err != nil {
			return tool.Result[documentList]{}, err
		}
		hits, err := lookUp(ctx, b.reads, c, a.Query, project, []string{string(assent.KindDocument)}, a.or(20))
		if err != nil {
			return tool.Result[documentList]{}, err
		}
		found := []assent.Document{}
		for _, h := range hits {
			d, err := find[assent.Document](ctx, b.reads, c, h.ID)
			if assent.ErrorCode(err) == assent.CodeNotFound {
				continue // deleted since the search
			}
			if err != nil {
				return tool.Result[documentList]{}, err
			}
			found = append(found, d)
		}
		total := len(found)
		return tool.Result[documentList]{Artifact: documentList{Documents: first(found, total), Total: total},
			Summary: fmt.Sprintf("Found %s for “%s”", count(total, "document"), oneLine(a.Query))}, nil
	})
}

// version gives a document as it was at a revision.
func (b builtin) version(ctx context.Context, d assent.Document, revision int64) (assent.Document, error) {
	r, err := b.reads.FindRevision(ctx, d.ID, revision)
	if err != nil || len(r.After) == 0 {
		return d, &assent.Error{Code: assent.CodeNotFound, Message: fmt.Sprintf("%s has no version %d.", quoted(&d), revision),
			Hint: fmt.Sprintf("The newest version is %d.", d.Revision), Err: err}
	}
	return decodeDocument(r)
}

type createDocumentArgs struct {
	projectArgs
	Title string `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"Title."`
	Body  string `json:"body,omitempty" jsonschema:"maxLength=131072" jsonschema_description:"Text in Markdown."`
	Type  string `json:"type,omitempty" jsonschema:"enum=context,enum=note,enum=report,enum=brief,enum=minutes" jsonschema_description:"What sort of document it is; note if left out."`
}

func (b builtin) createDocument() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_document", Title: "Write a document", Effect: assent.EffectWrite,
		Description: "Writes a new document as a draft in a project. Returns the document; publish_document publishes it.",
		Preview:     creates(assent.KindDocument), Target: namedIn("title"),
		Example: `{"project_id": "0192f000-0000-7000-8000-000000000001", "title": "Minutes of 21 November", "type": "minutes", "body": "We agreed to look at three offices."}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createDocumentArgs) (tool.Result[assent.Document], error) {
		title, p, err := newIn(ctx, tx, c, a.ProjectID, a.Title)
		if err != nil {
			return tool.Result[assent.Document]{}, err
		}
		if err := bodyFits(a.Body); err != nil {
			return tool.Result[assent.Document]{}, err
		}
		return create(tx, c, assent.Document{Entity: base(assent.KindDocument, p.ID), Title: title, Type: or(a.Type, "note"), Status: "draft", Body: a.Body})
	})
}

type deleteDocumentArgs struct {
	documentArgs
	revisionArg
}

func (b builtin) deleteDocument() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_document", Title: "Delete a document", Effect: assent.EffectDestructive,
		Description: "Deletes a document with the relations to it. Returns the document as it was.",
		Preview:     b.deletes(assent.KindDocument), Target: b.titled("document_id"),
		Example: `{"document_id": "0192f000-0000-7000-8000-000000000005"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteDocumentArgs) (tool.Result[assent.Document], error) {
		return remove[assent.Document](ctx, tx, c, a.DocumentID, a.Revision)
	})
}
