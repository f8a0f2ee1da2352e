/** Who makes a request. @public */
export interface Caller {
  /** `local`: a user of the machine, on a platform that is open, or a command on that machine. */
  readonly kind: 'local' | 'person' | 'service';
  /** `local`, or the id of the user; never reused. */
  readonly id: string;
  /** For people to read; users choose it, so that it says nothing about who acts. */
  readonly name: string;
  /** Email address of a person, name of a service account; unique. `local` on a platform that is open. */
  readonly login: string;
  /** Names of what the caller may do besides reading and writing items, for example `ops.control`. */
  readonly permissions: readonly string[];
  /** Set for one who has every permission, also those that no plugin in use declares. */
  readonly isAdministrator?: true;
  /** Set for an administrator who tries out the rights of these roles: names of roles. */
  readonly viewsAs?: readonly string[];
  /** Set for the first administrator, to whom belongs what was stored for `local` before sign-in was switched on. */
  readonly succeedsLocal?: true;
}
