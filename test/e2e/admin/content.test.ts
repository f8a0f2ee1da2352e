import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { describeContentWalk } from './suites/content-walk';
import { describeKeyboard } from './suites/keyboard';
import { describeForms } from './suites/forms';
import { describeHistory } from './suites/history';

const host = useTestHost({ plugins: [...adminPlugins] });
const tab = useAdminTab(() => host.address);
// As most people have the pages, with their transitions.
beforeAll(() => tab().page.emulateMedia({ reducedMotion: 'no-preference' }));

describe('from an empty platform', () => describeContentWalk(host, tab));
describe('keyboard', () => describeKeyboard(host, tab));
describe('forms', () => describeForms(host, tab));
describe('history', () => {
  beforeAll(() => tab().page.emulateMedia({ reducedMotion: 'reduce' }));
  describeHistory(host, tab);
});
