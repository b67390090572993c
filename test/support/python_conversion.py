"""The requests of PyDrive2's tests of conversion, by the library it is made of: python_conversion.py BASE TOKEN"""
import io
import json
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload, MediaIoBaseUpload

base, token = sys.argv[1:]
drive = build(
    'drive',
    'v2',
    credentials=Credentials(token),
    discoveryServiceUrl=base + '/discovery/v1/apis/{api}/{apiVersion}/rest',
    cache_discovery=False,
)
BOM = '\ufeff'.encode()
MIME_TYPE_TO_BOM = {'application/vnd.google-apps.document': {'text/plain': BOM}}
TEXT = 'Generic, non-exhaustive\n ASCII test string.'


def upload(text, **metadata):
    """Upload({'convert': True}) after SetContentString or SetContentFile"""
    body = {'mimeType': 'text/plain', **metadata}
    media = MediaIoBaseUpload(io.BytesIO(text.encode()), 'text/plain', resumable=True)
    return drive.files().insert(body=body, media_body=media, convert=True, supportsAllDrives=True).execute()


def content_string(file, remove_bom):
    """FetchContent"""
    assert 'downloadUrl' not in file
    response, content = drive._http.request(file['exportLinks']['text/plain'])
    assert response.status == 200, response
    bom = MIME_TYPE_TO_BOM[file['mimeType']]['text/plain']
    assert content.startswith(bom)
    return (content[len(bom) :] if remove_bom else content).decode()


def content_file(file, chunksize):
    """GetContentFile: get_media, and export_media where that is refused"""
    to = io.BytesIO()

    def download(request):
        downloader = MediaIoBaseDownload(to, request, chunksize=chunksize)
        done = False
        while done is False:
            _, done = downloader.next_chunk()

    try:
        download(drive.files().get_media(fileId=file['id'], acknowledgeAbuse=False))
        raise AssertionError('a document has no bytes')
    except HttpError as error:
        assert error.resp.status == 403, error
        # as ApiRequestError.GetField reads it
        assert json.loads(error.content)['error']['errors'][0]['reason'] == 'fileNotDownloadable'
    to.seek(0)
    download(drive.files().export_media(fileId=file['id'], mimeType='text/plain'))
    content = to.getvalue()
    assert content.startswith(BOM)
    return content[len(BOM) :].decode()


def lossless_string():
    file = upload('Generic, non-exhaustive ASCII test string.')
    assert content_file(file, 1024 * 1024) == 'Generic, non-exhaustive ASCII test string.'


def remove_bom():
    file = upload(TEXT, title='_tmp_source_file.txt')
    assert content_string(file, True) == TEXT
    assert content_file(file, 8) == TEXT


def add_remove_bom():
    file = upload(TEXT, title='_tmp_source_file.txt')
    assert content_string(file, False) == content_string(file, False)
    assert len(content_string(file, False)) > len(content_string(file, True))


def table():
    media = MediaIoBaseUpload(io.BytesIO(b'id,A_1\n1,A*01:01:01:01\n'), 'text/csv', resumable=True)
    file = drive.files().insert(body={'title': 'donors.csv'}, media_body=media, convert=True).execute()
    reduced = drive.files().export(fileId=file['id'], mimeType='text/csv; hla-method=lgx').execute()
    assert reduced == b'id,A_1,A_1_lgx,hla_status,hla_errors\n1,A*01:01:01:01,A*01:01,ok,\n', reduced


for one in (lossless_string, remove_bom, add_remove_bom, table):
    one()
    print('ok', one.__name__)
