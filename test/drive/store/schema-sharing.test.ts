/** A store from before there was sharing: its users are members of their domains, and everybody is there. */
import { expect, test } from 'vitest'
import { wrapConnection } from '../../../src/drive/persistence/database/connection.ts'
import { migrate } from '../../../src/drive/persistence/database/tables/migrate.ts'
import { MIGRATIONS } from '../../../src/drive/persistence/database/tables/schema.ts'
import { ANYONE, SHARING } from '../../../src/drive/persistence/database/tables/schema-sharing.ts'
import { loadSqlite } from '../../../src/drive/persistence/database/sqlite.ts'

test('its users become members of their domains', async () => {
  const { DatabaseSync } = await loadSqlite()
  const db = wrapConnection(new DatabaseSync(':memory:', {}))
  migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(SHARING)))
  db.exec(`INSERT INTO principals(kind, id, email, name, domain) VALUES ('user', '1', 'a@One.example', 'a', 'One.example'),
    ('user', '2', 'b@one.example', 'b', 'one.example'), ('user', '3', 'c@two.example', 'c', 'two.example')`)
  migrate(db, MIGRATIONS)
  const members = `SELECT d.domain, u.email FROM members m JOIN principals d ON d.pk = m.grp
    JOIN principals u ON u.pk = m.member ORDER BY u.pk`
  expect(db.all(members)).toEqual([
    { domain: 'one.example', email: 'a@One.example' },
    { domain: 'one.example', email: 'b@one.example' },
    { domain: 'two.example', email: 'c@two.example' },
  ])
  const ids = db.all<{ id: string }>("SELECT id FROM principals WHERE kind = 'domain'").map(({ id }) => id)
  expect(ids.filter((id) => !/^\d{19,20}k$/.test(id))).toEqual([])
  expect(db.get('SELECT kind, id FROM principals WHERE pk = ?', ANYONE)).toEqual({
    kind: 'anyone',
    id: 'anyone',
  })
  db.close()
})
