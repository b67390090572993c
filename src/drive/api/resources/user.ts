/** `drive#user`. */
import type { Caller } from '../../contract/caller.ts'
import type { UserView } from '../../domain/accounts/user-view.ts'

export function userResource({ pk, id, name, email, picture }: UserView, caller: Caller) {
  return {
    kind: 'drive#user',
    displayName: name,
    ...(picture === null ? {} : { picture: { url: picture } }),
    isAuthenticatedUser: pk === caller.user,
    permissionId: id,
    ...(email === null ? {} : { emailAddress: email }),
  }
}
