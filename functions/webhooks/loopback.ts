// Whether webhooks may lead to this machine. Asked twice over: the setting, and the stage that alone may have it, so that
// a setting that slipped into a cloud stage opens nothing.
import { type Config, optional } from '#runtime/config.ts';

export const allowsLoopback = (config: Pick<Config, 'stage'>): boolean =>
  config.stage === 'local' && optional('LOOPBACK_WEBHOOKS') === 'true';
