/** Addresses of the clouds that the setting `eventRouter.cloud` names; the management address is also the audience. */
export const CLOUDS: Readonly<
  Record<'public' | 'government' | 'china', { authority: string; management: string }>
> = {
  public: { authority: 'https://login.microsoftonline.com', management: 'https://management.azure.com' },
  government: {
    authority: 'https://login.microsoftonline.us',
    management: 'https://management.usgovcloudapi.net',
  },
  china: { authority: 'https://login.chinacloudapi.cn', management: 'https://management.chinacloudapi.cn' },
};
