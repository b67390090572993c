"""Interactive sign-in of Python's libraries, with the addresses of a store: python_login.py LIBRARY CREDENTIALS BASE"""
import json
import sys

library, credentials, base = sys.argv[1:]
SCOPE = 'https://www.googleapis.com/auth/drive'


def google_auth_oauthlib():
    import google.auth.transport.requests
    from google_auth_oauthlib.flow import InstalledAppFlow

    flow = InstalledAppFlow.from_client_secrets_file(credentials, [SCOPE])
    signed_in = flow.run_local_server(port=0)
    signed_in.refresh(google.auth.transport.requests.Request())
    return signed_in.token


def oauth2client():
    # as PyDrive2.LocalWebserverAuth has it: a server on localhost, then the code is exchanged
    import webbrowser

    import httplib2
    from oauth2client.client import flow_from_clientsecrets
    from oauth2client.tools import ClientRedirectHandler, ClientRedirectServer

    server = ClientRedirectServer(('localhost', 0), ClientRedirectHandler)
    flow = flow_from_clientsecrets(
        credentials, SCOPE, redirect_uri='http://localhost:%d/' % server.server_address[1]
    )
    webbrowser.open(flow.step1_get_authorize_url())
    server.handle_request()
    signed_in = flow.step2_exchange(server.query_params['code'], http=httplib2.Http())
    signed_in.refresh(httplib2.Http())
    return signed_in.access_token


token = {'google_auth_oauthlib': google_auth_oauthlib, 'oauth2client': oauth2client}[library]()

from googleapiclient.discovery import build
from google.oauth2.credentials import Credentials

drive = build(
    'drive',
    'v2',
    credentials=Credentials(token),
    discoveryServiceUrl=base + '/discovery/v1/apis/{api}/{apiVersion}/rest',
    cache_discovery=False,
)
print(json.dumps(drive.about().get().execute()['user']['emailAddress']))
