// Interactive sign-in of Google's client for Go, with the addresses of a store: go_login CREDENTIALS BASE
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/oauth2"
	"google.golang.org/api/drive/v2"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	base := os.Args[2]
	var clients map[string]struct {
		Id     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[1])), &clients); err != nil {
		log.Fatal(err)
	}
	server := must(net.Listen("tcp", "127.0.0.1:0"))
	ctx := context.Background()
	for _, client := range clients {
		config := &oauth2.Config{ClientID: client.Id, ClientSecret: client.Secret, Scopes: []string{drive.DriveScope},
			RedirectURL: fmt.Sprintf("http://localhost:%d/", server.Addr().(*net.TCPAddr).Port),
			Endpoint:    oauth2.Endpoint{AuthURL: base + "/authorize", TokenURL: base + "/token"}}
		page := config.AuthCodeURL("some state", oauth2.AccessTypeOffline)
		if err := exec.Command("sh", "-c", strings.Replace(os.Getenv("BROWSER"), "%s", "'"+page+"'", 1)).Start(); err != nil {
			log.Fatal(err)
		}
		token := must(config.Exchange(ctx, codeOf(server)))
		service := must(drive.NewService(ctx, option.WithEndpoint(base+"/drive/v2/"), option.WithHTTPClient(config.Client(ctx, token))))

		content := strings.NewReader("ID,A1\n1,A*01:01\n")
		file := must(service.Files.Insert(&drive.File{Title: "go.csv"}).Media(content, googleapi.ContentType("text/csv")).Do())
		got := must(io.ReadAll(must(service.Files.Get(file.Id).Download()).Body))
		who := must(service.About.Get().Do()).User.EmailAddress
		fmt.Println(string(must(json.Marshal([]string{who, string(got)}))))
	}
}

func codeOf(server net.Listener) string {
	socket := must(server.Accept())
	defer socket.Close()
	request := must(http.ReadRequest(bufio.NewReader(socket)))
	fmt.Fprint(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	return request.URL.Query().Get("code")
}
