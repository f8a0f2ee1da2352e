const texts: Readonly<Record<string, string>> = {
  'key-rotated': 'Encryption key changed',
  'last-administrator-kept': 'Last administrator kept',
  'link-refused': 'One-time link refused',
  'passkey-counter-refused': 'Passkey refused: signature counter decreased',
  'provider-refused': 'Identity provider refused',
  'provider-sign-in': 'Signed in with the identity provider',
  'roles-imported': 'Roles imported',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'system-scope-used': 'System scope used',
  'user-linked': 'User linked to the identity provider',
};

/** An action as a person reads it; one without a text is shown as words: `role-created` becomes "Role created". */
export function securityActionText(action: string): string {
  const words = action.replaceAll('-', ' ');
  return texts[action] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
