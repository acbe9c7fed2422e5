/** The kinds of channels over which a customer can be reached. */
export const channelKinds = ['messaging-app', 'photo-network', 'web-chat', 'sms', 'email'] as const;
