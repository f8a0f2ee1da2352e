const name = 'gantry.character-keys';

/** Whether keys that write a character, such as `/`, do something outside of inputs; people who dictate switch them off (WCAG 2.1.4). */
export function hasCharacterKeys(): boolean {
  try {
    return localStorage.getItem(name) !== 'off';
  } catch {
    // A browser that stores nothing.
    return true;
  }
}

/** For this browser. */
export function setCharacterKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(name);
    else localStorage.setItem(name, 'off');
  } catch {
    // It stays as it is where nothing is stored.
  }
}
