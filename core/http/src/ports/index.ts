/** Ports: the needs of the HTTP code on modules; light enough for commands that serve nothing. */
export type { AccountsPort } from './accounts';
export { addressKey } from './address-key';
export type { AuditEntry, AuditSink, AuditedChange, ChangeAuthor } from './audit-sink';
export { publicRole } from './authenticator';
export type { Principal, SignInMode } from './authenticator';
export type { HealthPart } from './health-part';
export type { ChangePage, ChangesPort, ChangeText } from './changes';
export { permission, permissionName } from './permission';
export { PresenceRequired, presentMinutes } from './presence-required';
export type { Rights } from './rights';
