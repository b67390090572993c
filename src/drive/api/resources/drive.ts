/** `drive#drive`. */
import type { DriveView } from '../../domain/drives/drive-view.ts'
import { listDriveCapabilities } from '../../contract/drive-capabilities.ts'
import { formatDate } from '../../protocol/dates.ts'

export function driveResource({ id, name, created, role, isHidden, theme, color, restrictions }: DriveView) {
  const is = (name: keyof typeof restrictions) => restrictions[name] === true
  return {
    kind: 'drive#drive',
    id,
    name,
    createdDate: formatDate(created),
    hidden: isHidden,
    ...(theme === null ? {} : { themeId: theme }),
    ...(color === null ? {} : { colorRgb: color }),
    restrictions: {
      adminManagedRestrictions: is('adminManagedRestrictions'),
      copyRequiresWriterPermission: is('copyRequiresWriterPermission'),
      domainUsersOnly: is('domainUsersOnly'),
      driveMembersOnly: is('driveMembersOnly'),
      sharingFoldersRequiresOrganizerPermission: is('sharingFoldersRequiresOrganizerPermission'),
    },
    capabilities: listDriveCapabilities(role, is('copyRequiresWriterPermission')),
  }
}
