# Interactive sign-in of Google's client for Ruby, with the addresses of a store: ruby_login.rb CREDENTIALS BASE
require 'google/apis/drive_v2'
require 'json'
require 'signet/oauth_2/client'
require 'socket'
require 'uri'

credentials, base = ARGV
client = JSON.parse(File.read(credentials)).values.first
server = TCPServer.new('127.0.0.1', 0)

service = Google::Apis::DriveV2::DriveService.new
service.root_url = "#{base}/"
service.authorization = Signet::OAuth2::Client.new(
  authorization_uri: "#{base}/authorize", token_credential_uri: "#{base}/token",
  client_id: client['client_id'], client_secret: client['client_secret'],
  scope: 'https://www.googleapis.com/auth/drive', redirect_uri: "http://localhost:#{server.addr[1]}/"
)
system(ENV.fetch('BROWSER').sub('%s', "'#{service.authorization.authorization_uri}'"))
socket = server.accept
answer = URI.decode_www_form(URI(socket.gets.split[1]).query).to_h
socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
socket.close
service.authorization.code = answer.fetch('code')
service.authorization.fetch_access_token!
service.authorization.refresh!

file = service.insert_file({ title: 'ruby.csv' }, upload_source: StringIO.new("ID,A1\n1,A*01:01\n"), content_type: 'text/csv')
got = service.get_file(file.id, download_dest: StringIO.new).string
puts JSON.generate([service.get_about.user.email_address, got])
