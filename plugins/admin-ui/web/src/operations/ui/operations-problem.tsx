import { ApiError } from '../../api/api-error';
import { LinkButton } from '../../ui/link-button';
import { EmptyState, ErrorState } from '../../ui/states';

/** Neither its routes are there nor its item types. */
const noServiceCodes: readonly string[] = ['NOT_FOUND', 'TYPE_NOT_FOUND'];

export interface OperationsProblemProps {
  readonly error: unknown;
  readonly title: string;
  /** It was an action, which nothing does again by itself. */
  readonly once?: boolean;
  readonly onRetry?: () => void;
}

/** Why a page has nothing (new) to show: Temporal is unavailable, or the service behind the page is not there at all. */
export function OperationsProblem({ error, title, once, onRetry }: OperationsProblemProps) {
  if (error === null || error === undefined) return null;
  const hasNoService = error instanceof ApiError && noServiceCodes.includes(error.code);
  if (hasNoService && once === true) {
    return <ErrorState error={notInUse} title={title} once onRetry={onRetry} />;
  }
  if (hasNoService) {
    return (
      <EmptyState
        title="A service that this page needs is not here"
        action={<LinkButton to="/plugins">See the plugins</LinkButton>}
      >
        Orders and workflows are brought by service plugins. Enable them, and this page works.
      </EmptyState>
    );
  }
  return <ErrorState error={error} title={title} once={once} onRetry={onRetry} />;
}

const notInUse = new Error(
  'The service that takes it is not in use. The page “Plugins” shows why; enable it, then try again.',
);
