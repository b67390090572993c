/** What counts against the quota of a user: migrations of their own, and the sums that must hold. */

/** Bytes and who pays for them, as they must add up in `principals.used`. */
export const PAID = `SELECT owner AS payer, used AS bytes FROM files WHERE owner IS NOT NULL
  UNION ALL SELECT d.payer, f.used FROM files f JOIN drives d ON d.root = f.drive WHERE d.payer IS NOT NULL`

/**
 * Who made a shared drive pays for what is in it. Of older ones it is whoever has organized it longest, or else, who changed its
 * root last.
 */
export const PAID_DRIVES = `
ALTER TABLE drives ADD COLUMN payer INTEGER;
UPDATE drives SET payer = coalesce(
  (SELECT g.principal FROM grants g JOIN principals p ON p.pk = g.principal WHERE g.item = drives.root AND g.role = 'organizer'
    AND p.kind = 'user' AND p.is_known = 1 ORDER BY g.created, g.principal LIMIT 1),
  (SELECT p.pk FROM files f JOIN principals p ON p.pk = f.modifier WHERE f.pk = drives.root AND p.is_known = 1));
CREATE INDEX drives_paid ON drives(payer);
UPDATE principals SET used = used + (SELECT coalesce(sum(f.used), 0) FROM drives d JOIN files f ON f.drive = d.root
  WHERE d.payer = principals.pk);
`
