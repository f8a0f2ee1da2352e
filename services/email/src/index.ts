import { taskQueues } from '@gantry/contracts';
import { definePlugin, type ServiceContext } from '@gantry/plugin-api';
import { createEmailActivities } from './activities';
import { createMailer, parseEmailConfig, type EmailConfig } from './mailer';
import { Notification } from './notification';
import { createOutbox } from './outbox';

export { Notification };

export default definePlugin({
  id: 'email',
  itemTypes: [Notification],
  config: (environment) => ({ ...parseEmailConfig(environment) }),
  service: {
    taskQueue: taskQueues.email,
    activities: (context) => {
      const config = configOf(context);
      return {
        ...createEmailActivities({
          outbox: createOutbox(context.items, context.now),
          recipient: config.to,
          mailer: createMailer(config),
        }),
      };
    },
  },
});

/** The host hands back what `config` gave. */
function configOf({ config }: ServiceContext): EmailConfig {
  return config as unknown as EmailConfig;
}
