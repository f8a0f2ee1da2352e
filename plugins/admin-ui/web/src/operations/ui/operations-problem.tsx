import { ApiError } from '../../api/api-error';
import { LinkButton } from '../../ui/page/link-button';
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
        title="A required service is unavailable"
        action={<LinkButton to="/plugins">View plugins</LinkButton>}
      >
        Service plugins provide orders and workflows. Enable them to use this page.
      </EmptyState>
    );
  }
  return <ErrorState error={error} title={title} once={once} onRetry={onRetry} />;
}

const notInUse = new Error(
  'The service that handles the request is not in use. Enable it on the page “Plugins”, then try again.',
);
