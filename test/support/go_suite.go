// Operations of Google's client for Go on a store, a line for each: go_suite BASE TOKEN
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"google.golang.org/api/drive/v2"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

const folderType = "application/vnd.google-apps.folder"

var failed = 0

func op[T any](name string, value T, err error) T {
	if err != nil {
		failed += 1
		fmt.Printf("FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
	} else {
		fmt.Printf("ok   %s\n", name)
	}
	return value
}

func same[T comparable](name string, got T, expected T) {
	var err error
	if got != expected {
		err = fmt.Errorf("expected %v, got %v", expected, got)
	}
	op(name, got, err)
}

func fails(name string, status int, err error) {
	var refused *googleapi.Error
	if errors.As(err, &refused) {
		same(name, refused.Code, status)
	} else {
		op(name, status, fmt.Errorf("expected %d, got %v", status, err))
	}
}

type bearer struct{ token string }

func (one bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+one.token)
	return http.DefaultTransport.RoundTrip(request)
}

func read(response *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return string(content), err
}

func main() {
	base, client := os.Args[1], &http.Client{Transport: bearer{os.Args[2]}}
	service, err := drive.NewService(context.Background(), option.WithEndpoint(base+"/drive/v2/"), option.WithHTTPClient(client))
	op("drive.NewService", service, err)
	about, err := service.About.Get().Do()
	op("about.get", about, err)
	folder, err := service.Files.Insert(&drive.File{Title: "go", MimeType: folderType}).Do()
	op("files.insert folder", folder, err)
	parents := []*drive.ParentReference{{Id: folder.Id}}
	small, err := service.Files.Insert(&drive.File{Title: "go.csv", Parents: parents}).Media(strings.NewReader("ID,A1\n1,A*01:01\n"), googleapi.ContentType("text/csv")).Do()
	op("files.insert multipart", small, err)
	large := strings.Repeat("0123456789abcdef", 1<<16)
	resumed, err := service.Files.Insert(&drive.File{Title: "large", Parents: parents}).Media(strings.NewReader(large), googleapi.ChunkSize(256<<10)).Do()
	op("files.insert resumable, 256 KiB chunks", resumed, err)
	same("  size of resumable", resumed.FileSize, int64(len(large)))
	content, err := read(service.Files.Get(resumed.Id).Download())
	op("files.get alt=media", "", err)
	same("  content of resumable", content == large, true)
	updated, err := service.Files.Update(small.Id, &drive.File{Title: "second.csv"}).Media(bytes.NewReader([]byte("ID\n2\n"))).Do()
	op("files.update with media", updated, err)
	content, err = read(service.Files.Get(small.Id).Download())
	op("files.get alt=media after update", "", err)
	same("  content after update", content, "ID\n2\n")
	patched, err := service.Files.Patch(small.Id, &drive.File{Description: "patched"}).Do()
	op("files.patch", patched, err)
	titles := []string{}
	err = service.Files.List().Q("'" + folder.Id + "' in parents").OrderBy("title").MaxResults(1).Pages(context.Background(), func(page *drive.FileList) error {
		for _, one := range page.Items {
			titles = append(titles, one.Title)
		}
		return nil
	})
	op("files.list in pages", titles, err)
	same("  titles", strings.Join(titles, " "), "large second.csv")
	copied, err := service.Files.Copy(small.Id, &drive.File{Title: "copy"}).Do()
	op("files.copy", copied, err)
	trashed, err := service.Files.Trash(copied.Id).Do()
	op("files.trash", trashed, err)
	untrashed, err := service.Files.Untrash(copied.Id).Do()
	op("files.untrash", untrashed, err)
	same("  labels of untrashed", untrashed.Labels.Trashed, false)
	granted, err := service.Permissions.Insert(small.Id, &drive.Permission{Type: "user", Role: "reader", Value: "bob@example.test"}).SendNotificationEmails(false).Do()
	op("permissions.insert", granted, err)
	permissions, err := service.Permissions.List(small.Id).Do()
	op("permissions.list", permissions, err)
	same("  permissions", len(permissions.Items), 2)
	op("permissions.delete", "", service.Permissions.Delete(small.Id, granted.Id).Do())
	property, err := service.Properties.Insert(small.Id, &drive.Property{Key: "k", Value: "v", Visibility: "PUBLIC"}).Do()
	op("properties.insert", property, err)
	comment, err := service.Comments.Insert(small.Id, &drive.Comment{Content: "c"}).Do()
	op("comments.insert", comment, err)
	reply, err := service.Replies.Insert(small.Id, comment.CommentId, &drive.CommentReply{Content: "r"}).Do()
	op("replies.insert", reply, err)
	revisions, err := service.Revisions.List(small.Id).Do()
	op("revisions.list", revisions, err)
	same("  revisions", len(revisions.Items), 2)
	changes, err := service.Changes.List().MaxResults(5).Do()
	op("changes.list", changes, err)
	ids, err := service.Files.GenerateIds().MaxResults(2).Do()
	op("files.generateIds", ids, err)
	same("  ids", len(ids.Ids), 2)
	op("files.delete", "", service.Files.Delete(small.Id).Do())
	_, err = service.Files.Get(small.Id).Do()
	fails("files.get of a deleted file", 404, err)
	op("files.delete folder", "", service.Files.Delete(folder.Id).Do())
	if failed > 0 {
		os.Exit(1)
	}
}
