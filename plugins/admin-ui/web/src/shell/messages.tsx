import { Notifications } from '@mantine/notifications';

/** Short messages about what has just happened, in a corner of the window. */
export function Messages() {
  return <Notifications position="bottom-right" withinPortal={false} className="messages" />;
}
