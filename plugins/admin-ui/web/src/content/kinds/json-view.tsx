import { lazyView } from './lazy-view';
import { textView } from './text/view';

/** Values that are objects or lists, as the text of their JSON. */
export const jsonView = lazyView(textView.type, async () => {
  const { JsonControl, LockedJson } = await import('./further-views');
  return { ...textView, Control: JsonControl, Locked: LockedJson };
});
