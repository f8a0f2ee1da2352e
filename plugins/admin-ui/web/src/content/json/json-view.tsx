import { lazyView } from '../kinds/lazy-view';
import { fieldView as textView } from '../kinds/text/view';

/** Values that are objects or lists, as the text of their JSON. */
export const jsonView = lazyView(async () => {
  const { JsonControl, LockedJson } = await import('../kinds/further-views');
  return { ...textView, Control: JsonControl, Locked: LockedJson };
});
