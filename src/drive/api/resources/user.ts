/** `drive#user`. */
import { type Caller, isGuest } from '../../contract/failure.ts'
import type { UserView } from '../../domain/access/principals.ts'

export function userResource({ pk, id, name, email, picture }: UserView, caller: Caller) {
  return {
    kind: 'drive#user',
    displayName: name,
    ...(picture === null ? {} : { picture: { url: picture } }),
    isAuthenticatedUser: pk === caller.user,
    permissionId: id,
    // guests do not see email addresses
    ...(email === null || isGuest(caller) ? {} : { emailAddress: email }),
  }
}
