package store

// query is one SQL statement of the package. Only register makes usable ones.
type query struct {
	text  string
	index int // place in registry, and in each connection's list of prepared statements

	// conflict is what a UNIQUE or PRIMARY KEY violation of this statement means, and
	// orphan what a FOREIGN KEY violation does; nil means neither is expected.
	conflict, orphan error

	// readsAll says that the statement reads a whole table on purpose, and who calls it
	// remembers the answer until the data changes.
	readsAll bool
}

// registry holds every query, in order of registration. It is filled while the package's
// variables are initialised and constant from then on.
var registry []*query

func register(text string) *query {
	q := &query{text: text, index: len(registry)}
	registry = append(registry, q)
	return q
}

func (q *query) onConflict(err error) *query { q.conflict = err; return q }
func (q *query) whole() *query               { q.readsAll = true; return q }
func (q *query) onOrphan(err error) *query   { q.orphan = err; return q }

// Transaction control; the names of a writer's savepoint never nest.
var (
	queryBegin          = register(`BEGIN`) // read; the snapshot is taken by the first SELECT
	queryBeginImmediate = register(`BEGIN IMMEDIATE`)
	queryCommit         = register(`COMMIT`)
	queryRollback       = register(`ROLLBACK`)
	querySavepoint      = register(`SAVEPOINT one`)
	queryRelease        = register(`RELEASE one`)
	queryRollbackTo     = register(`ROLLBACK TO one`)
)
