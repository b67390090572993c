// Interactive sign-in of Google's client for Java, with the addresses of a store: JavaLogin CREDENTIALS BASE
import com.google.api.client.auth.oauth2.AuthorizationCodeFlow;
import com.google.api.client.auth.oauth2.BearerToken;
import com.google.api.client.auth.oauth2.ClientParametersAuthentication;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.gson.GsonFactory;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;

public class JavaLogin {
  public static void main(String[] words) throws Exception {
    var base = words[1];
    var transport = new NetHttpTransport();
    var json = GsonFactory.getDefaultInstance();
    var clients = json.createJsonParser(new FileInputStream(words[0])).parse(Map.class);
    var client = (Map<?, ?>) clients.values().iterator().next();
    var id = (String) client.get("client_id");
    var secret = (String) client.get("client_secret");
    try (var server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var flow = new AuthorizationCodeFlow.Builder(BearerToken.authorizationHeaderAccessMethod(), transport, json, new GenericUrl(base + "/token"),
          new ClientParametersAuthentication(id, secret), id, base + "/authorize").setScopes(List.of("drive")).build();
      var back = "http://localhost:" + server.getLocalPort() + "/";
      var page = flow.newAuthorizationUrl().setRedirectUri(back).build();
      new ProcessBuilder("sh", "-c", System.getenv("BROWSER").replace("%s", "'" + page + "'")).start();
      var answer = flow.newTokenRequest(codeOf(server)).setRedirectUri(back).execute();
      var credential = flow.createAndStoreCredential(answer, "user");
      if (!credential.refreshToken()) throw new IllegalStateException("not refreshed");
      // Debian's library of Drive itself does not start with Debian's google-api-client: requests are those of the one below it
      var requests = transport.createRequestFactory(credential);
      var content = new ByteArrayContent("text/csv", "ID,A1\n1,A*01:01\n".getBytes());
      var file = parse(requests.buildPostRequest(new GenericUrl(base + "/upload/drive/v2/files?uploadType=media"), content));
      var address = new GenericUrl(base + "/drive/v2/files/" + file.get("id") + "?alt=media");
      var got = requests.buildGetRequest(address).execute().parseAsString();
      var user = (Map<?, ?>) parse(requests.buildGetRequest(new GenericUrl(base + "/drive/v2/about"))).get("user");
      var who = user.get("emailAddress");
      System.out.println(json.toString(List.of(who, got)));
    }
  }

  static GenericJson parse(HttpRequest request) throws Exception {
    return request.setParser(GsonFactory.getDefaultInstance().createJsonObjectParser()).execute().parseAs(GenericJson.class);
  }

  static String codeOf(ServerSocket server) throws Exception {
    try (var socket = server.accept()) {
      var line = new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
      socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes());
      return (String) new GenericUrl("http://localhost" + line.split(" ")[1]).getFirst("code");
    }
  }
}
