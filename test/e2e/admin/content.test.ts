import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { useAdminTab } from './support/open-pages';
import { describeContentWalk } from './suites/content-walk';
import { describeKeyboard } from './suites/keyboard';
import { describeForms } from './suites/forms';
import { describeHistory } from './suites/history';

const host = useTestHost({ plugins: [...adminPlugins] });
const tab = useAdminTab(() => host.address);

describe('from an empty platform', () => describeContentWalk(host, tab));
describe('keyboard', () => describeKeyboard(host, tab));
describe('forms', () => describeForms(host, tab));
describe('history', () => describeHistory(host, tab));
