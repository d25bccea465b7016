package page

import (
	"context"

	"assent/internal/assent"
	"assent/internal/plan"
	"assent/internal/store"
	"assent/internal/web"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// eventsAtOnce is how many events of a log are read at a time.
const eventsAtOnce = 2000

// findSession gives a conversation of the one who asks; anything else is not
// found.
func (p *Pages) findSession(c echo.Context, id string) (assent.Session, error) {
	s, err := p.Store.FindSession(c.Request().Context(), id)
	if err == nil && s.UserID != person(c).Person.ID {
		return assent.Session{}, assent.NotFound("conversation")
	}
	return s, err
}

// fold gives a conversation as it was at a position.
func (p *Pages) fold(ctx context.Context, s assent.Session, upTo int64) (*views.Chat, error) {
	events, err := p.events(ctx, s.ID, upTo)
	if err != nil {
		return nil, err
	}
	first, err := p.Store.FirstEvent(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	if first == 1 || s.LastSeq == 0 {
		chat := views.NewChat(s)
		p.receipts(ctx, chat)
		for _, ev := range events {
			chat.Apply(ev)
		}
		return chat, nil
	}
	stored, err := p.stored(ctx, s.ID, first)
	if err != nil {
		return nil, err
	}
	chat := views.RestoreChat(s, stored, events)
	p.receipts(ctx, chat)
	chat.Seq = max(chat.Seq, upTo)
	return chat, nil
}

// receipts gives a conversation what its receipts are made of.
func (p *Pages) receipts(ctx context.Context, chat *views.Chat) {
	chat.Deviations = plan.Deviations
	chat.Usage = func(run string) (assent.Usage, bool) {
		u, err := p.Store.RunUsage(context.WithoutCancel(ctx), run)
		return u, err == nil
	}
}

func (p *Pages) events(ctx context.Context, session string, upTo int64) ([]assent.LoggedEvent, error) {
	var out []assent.LoggedEvent
	for after := int64(0); ; {
		page, err := p.Store.Events(ctx, session, after, eventsAtOnce)
		if err != nil || len(page) == 0 {
			return out, err
		}
		for _, ev := range page {
			if ev.Seq > upTo {
				return out, nil
			}
			out = append(out, ev)
		}
		after = page[len(page)-1].Seq
	}
}

// stored gives what stands in for the pruned part of a log.
func (p *Pages) stored(ctx context.Context, session string, first int64) (st views.Stored, err error) {
	if first > 0 {
		kept, err := p.Store.Events(ctx, session, first-1, 1)
		if err != nil {
			return st, err
		}
		if len(kept) > 0 {
			st.Before = kept[0].At
		}
	}
	if st.Messages, err = p.Store.ListMessages(ctx, session); err != nil {
		return st, err
	}
	if st.Turns, err = p.Store.ListTurns(ctx, session); err != nil {
		return st, err
	}
	st.Plans, err = p.Store.ListPlansBySession(ctx, session)
	return st, err
}

// beside loads what a stream shows besides its conversation.
func (p *Pages) beside(session string, who assent.Person) func(context.Context) (web.Around, error) {
	return func(ctx context.Context) (web.Around, error) {
		s, err := p.Store.FindSession(ctx, session)
		if err != nil {
			return web.Around{}, err
		}
		a := web.Around{Title: s.Title, Shell: views.Shell{Person: who, SessionID: session}}
		err = p.lists(ctx, &a.Shell)
		return a, err
	}
}

// about names the project or task that a conversation is about; what is gone
// or not the reader's any more is left out.
func (p *Pages) about(c echo.Context, s assent.Session) (views.Link, error) {
	if s.EntityID == "" {
		return views.Link{}, nil
	}
	ctx := c.Request().Context()
	n, err := p.Store.FindAny(ctx, s.EntityID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return views.Link{}, nil
	}
	if err != nil {
		return views.Link{}, err
	}
	ok, err := p.Store.MaySee(ctx, s.UserID, n.Base().ProjectID)
	if err != nil || !ok {
		return views.Link{}, err
	}
	return views.Link{URL: views.EntityURL(n.Base().Kind, n.Base().ID), Label: store.Title(n)}, nil
}
