package store

import (
	"context"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// FindSecret gives the sealed form of a secret.
func (r Reads) FindSecret(ctx context.Context, name string) (sealed string, err error) {
	row, err := r.q.FindSecret(plain(ctx), name)
	return row.Sealed, rowError(err, "secret")
}

// ListSecrets gives what may be shown of every secret, by name.
func (r Reads) ListSecrets(ctx context.Context) ([]assent.SecretName, error) {
	rows, err := r.q.ListSecrets(plain(ctx))
	return each(rows, err, pure(func(s sqlc.ListSecretsRow) assent.SecretName {
		return assent.SecretName{Name: s.Name, UpdatedAt: assent.Time(s.UpdatedAt)}
	}))
}

// SaveSecret stores the sealed form of a secret that somebody set.
func (s *Store) SaveSecret(ctx context.Context, by, name, sealed string) error {
	return s.Write(ctx, func(tx *Tx) error {
		err := tx.q.SaveSecret(context.Background(), sqlc.SaveSecretParams{Name: name, Sealed: sealed, UpdatedBy: by, UpdatedAt: int64(tx.Now())})
		if err != nil {
			return err
		}
		return tx.Audit(Origin{UserID: by, Caller: assent.CallerPerson}, "secret_set", name, "")
	})
}

// DeleteSecret forgets a secret.
func (s *Store) DeleteSecret(ctx context.Context, by, name string) error {
	return s.Write(ctx, func(tx *Tx) error {
		n, err := tx.q.DeleteSecret(context.Background(), name)
		if err := expectOne(n, err, "secret"); err != nil {
			return err
		}
		return tx.Audit(Origin{UserID: by, Caller: assent.CallerPerson}, "secret_deleted", name, "")
	})
}

// ListToolSettings gives what admins set about tools, by the tool's name.
func (r Reads) ListToolSettings(ctx context.Context) (map[string]assent.ToolSetting, error) {
	rows, err := r.q.ListToolPolicies(plain(ctx))
	out := make(map[string]assent.ToolSetting, len(rows))
	for _, t := range rows {
		out[t.Tool] = assent.ToolSetting{Policy: assent.ToolPolicy(t.Policy), Effect: assent.Effect(t.Effect), Cap: t.CallCap}
	}
	return out, err
}

// SaveToolSetting stores what an admin set about a tool.
func (tx *Tx) SaveToolSetting(by, tool string, s assent.ToolSetting) error {
	return tx.q.SaveToolPolicy(context.Background(), sqlc.SaveToolPolicyParams{Tool: tool, Policy: string(s.Policy), Effect: string(s.Effect), CallCap: s.Cap,
		UpdatedBy: by, UpdatedAt: int64(tx.Now())})
}
